// Publication by a flag, an assertion, and a mutex.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data, count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *argument) {
  data = 1 + *(int *)argument;
  atomic_store_explicit(&flag, 1, memory_order_release);
  pthread_mutex_lock(&lock);
  ++count;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  int two = 2;
  pthread_create(&thread, 0, writer, &two);
  if (atomic_load_explicit(&flag, memory_order_acquire)) assert(data == 3);
  pthread_mutex_lock(&lock);
  ++count;
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  assert(count == 2);
  return 0;
}
