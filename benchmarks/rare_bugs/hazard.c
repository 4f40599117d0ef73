// Hazard pointers without the fence between announcing a pointer and looking again: what is announced may be freed.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define ROUNDS 3
static _Atomic(int *) head, hazard[2];

static void *reader(void *which) {
  for (int i = 0; i < 2; i++) {
    int *p = atomic_load_explicit(&head, memory_order_acquire);
    atomic_store_explicit(&hazard[(long)which], p, memory_order_relaxed);
    // missing: atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&head, memory_order_acquire) == p) (void)*(volatile int *)p;
    atomic_store_explicit(&hazard[(long)which], 0, memory_order_release);
  }
  return 0;
}

int main(void) {
  pthread_t t[2];
  int *first = malloc(sizeof(int));
  *first = 0;
  atomic_store_explicit(&head, first, memory_order_release);
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, reader, (void *)i);
  for (int n = 1; n <= ROUNDS; n++) {
    int *fresh = malloc(sizeof(int));
    *fresh = n;
    int *old = atomic_exchange_explicit(&head, fresh, memory_order_acq_rel);
    atomic_thread_fence(memory_order_seq_cst);
    int used = 0;
    for (int i = 0; i < 2; i++) used |= atomic_load_explicit(&hazard[i], memory_order_acquire) == old;
    if (!used) free(old);
  }
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}
