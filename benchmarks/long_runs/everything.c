// Generations of threads that do all that a run may have to remember something of: messages with fences, an SC flag, a
// counter that all update, a mutex, memory that one allocates and the next one frees, and a race.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef ROUNDS
#define ROUNDS 100
#endif
#ifndef STORE  // orders of the flag, for models that have no SC accesses
#define STORE memory_order_seq_cst
#define LOAD memory_order_seq_cst
#endif
static atomic_int counter, data, flag, turn;
static _Atomic(int *) message;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int locked, racy;

static void *sender(void *unused) {
  for (int i = 1; i <= 4; i++) {
    atomic_store_explicit(&data, i, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flag, i, memory_order_relaxed);
    atomic_store_explicit(&turn, i, STORE);
    atomic_fetch_add_explicit(&counter, 1, memory_order_acq_rel);
  }
  racy = 1;
  int *new = malloc(sizeof *new);
  *new = 1;
  int *old = atomic_exchange_explicit(&message, new, memory_order_acq_rel);
  free(old);
  return 0;
}

static void *receiver(void *unused) {
  int sum = 0;
  for (int i = 1; i <= 4; i++) {
    sum += atomic_load_explicit(&flag, memory_order_relaxed);
    atomic_thread_fence(i & 1 ? memory_order_acquire : memory_order_seq_cst);
    sum += atomic_load_explicit(&data, memory_order_relaxed) + atomic_load_explicit(&turn, LOAD);
    pthread_mutex_lock(&mutex);
    locked += sum;
    pthread_mutex_unlock(&mutex);
  }
  if (sum == 7) racy = 2;
  return 0;
}

int main(void) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_t t[3];
    pthread_create(&t[0], 0, sender, 0);
    pthread_create(&t[1], 0, receiver, 0);
    pthread_create(&t[2], 0, sender, 0);
    for (int n = 0; n < 3; n++) pthread_join(t[n], 0);
    if (i % 2) atomic_thread_fence(memory_order_seq_cst);
  }
  free(atomic_load_explicit(&message, memory_order_acquire));
}
