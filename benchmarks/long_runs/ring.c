// Threads that pass tokens around: each writes its slot and waits for its neighbour's. What was written long ago can be
// read by nobody.
#include <pthread.h>
#include <stdatomic.h>

#ifndef K
#define K 4
#endif
#ifndef N
#define N 1000
#endif
static atomic_int slots[K];

static void *pass(void *which) {
  int me = (int)(long)which;
  for (int i = 1; i <= N; i++) {
    atomic_store_explicit(&slots[me], i, memory_order_release);
    int other = (me + 1) % K;
    while (atomic_load_explicit(&slots[other], memory_order_acquire) < i) {
    }
  }
  return 0;
}

int main(void) {
  pthread_t t[K];
  for (long i = 0; i < K; i++) pthread_create(&t[i], 0, pass, (void *)i);
  for (int i = 0; i < K; i++) pthread_join(t[i], 0);
}
