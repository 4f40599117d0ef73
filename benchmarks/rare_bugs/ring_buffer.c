// A ring buffer of one producer and one consumer. The consumer looks at the producer's index without acquire in one of two
// places: when it has run empty and looks again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2
#define ITEMS 6
static int data[SIZE];
static atomic_int head, tail;

static void *producer(void *unused) {
  for (int i = 0; i < ITEMS; i++) {
    while (i - atomic_load_explicit(&tail, memory_order_acquire) == SIZE) {
    }
    data[i % SIZE] = i + 1;
    atomic_store_explicit(&head, i + 1, memory_order_release);
  }
  return 0;
}

int main(void) {
  pthread_t p;
  pthread_create(&p, 0, producer, 0);
  int known = 0;
  for (int i = 0; i < ITEMS; i++) {
    if (known == i) known = atomic_load_explicit(&head, memory_order_acquire);
    while (known == i) known = atomic_load_explicit(&head, i < ITEMS - 2 ? memory_order_acquire : memory_order_relaxed);
    assert(data[i % SIZE] == i + 1);
    atomic_store_explicit(&tail, i + 1, memory_order_release);
  }
  pthread_join(p, 0);
}
