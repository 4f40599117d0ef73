// A semaphore may be posted by a thread that has not waited for it.
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *run(void *unused) {
  sem_post(&s);
  return 0;
}

int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, run, 0);
  sem_wait(&s);
  pthread_join(t, 0);
  return 0;
}
