// A thread returns without setting the result that main reads.
// expect: indeterminate value
#include <pthread.h>
#include <stdlib.h>

static void *run(void *limit) {
  int *result = malloc(sizeof *result);
  for (int i = 0; i < *(int *)limit; i++)
    *result = i;
  return result;
}

int main(void) {
  int limit = 0;
  void *result;
  pthread_t t;
  pthread_create(&t, 0, run, &limit);
  pthread_join(t, &result);
  if (*(int *)result == 3) // here
    return 1;
  free(result);
  return 0;
}
