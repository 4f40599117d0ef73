// A ring buffer of one place, for one producer and one consumer.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ITEMS 2
static int data;
static atomic_int head, tail;

static void *producer(void *unused) {
  for (int i = 0; i < ITEMS; i++) {
    while (atomic_load_explicit(&tail, memory_order_acquire) != i) {
    }
    data = i + 1;
    atomic_store_explicit(&head, i + 1, memory_order_release);
  }
  return 0;
}

static void *consumer(void *unused) {
  for (int i = 0; i < ITEMS; i++) {
    while (atomic_load_explicit(&head, memory_order_acquire) == i) {
    }
    assert(data == i + 1);
    atomic_store_explicit(&tail, i + 1, memory_order_release);
  }
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, producer, 0);
  pthread_create(&t[1], 0, consumer, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}
