// A buffer for one item, whose consumers look only once whether it is empty: an if where a while should be.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int items;

static void *producer(void *unused) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&mutex);
    while (items == 1) pthread_cond_wait(&emptied, &mutex);
    items++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

static void *consumer(void *unused) {
  pthread_mutex_lock(&mutex);
  if (items == 0) pthread_cond_wait(&filled, &mutex);
  items--;
  assert(items >= 0);
  pthread_cond_signal(&emptied);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, producer, 0);
  for (int i = 1; i < 3; i++) pthread_create(&t[i], 0, consumer, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}
