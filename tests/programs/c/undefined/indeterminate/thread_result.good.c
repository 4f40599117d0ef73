// A thread sets the result that main reads.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *run(void *limit) {
  int *result = malloc(sizeof *result);
  *result = 0;
  for (int i = 0; i < *(int *)limit; i++)
    *result = i;
  return result;
}

int main(void) {
  int limit = 2;
  void *result;
  pthread_t t;
  pthread_create(&t, 0, run, &limit);
  pthread_join(t, &result);
  assert(*(int *)result == 1);
  free(result);
  return 0;
}
