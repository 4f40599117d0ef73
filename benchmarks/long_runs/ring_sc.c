// The ring of ring.c with SC accesses, which all but the counter of the rounds are.
#include <pthread.h>
#include <stdatomic.h>

#ifndef K
#define K 4
#endif
#ifndef N
#define N 1000
#endif
static atomic_int slots[K], rounds;

static void *pass(void *which) {
  int me = (int)(long)which;
  for (int i = 1; i <= N; i++) {
    atomic_store(&slots[me], i);
    int other = (me + 1) % K;
    while (atomic_load(&slots[other]) < i) {
    }
    atomic_fetch_add_explicit(&rounds, 1, memory_order_relaxed);
  }
  return 0;
}

int main(void) {
  pthread_t t[K];
  for (long i = 0; i < K; i++) pthread_create(&t[i], 0, pass, (void *)i);
  for (int i = 0; i < K; i++) pthread_join(t[i], 0);
}
