// A thread is joined only if it was created.
#include <pthread.h>

int main(void) {
  pthread_t t;
  int created = 0;
  if (created)
    pthread_join(t, 0);
  return 0;
}
