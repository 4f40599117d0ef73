// Condition variables: a counter of signals. A thread that waits reads it, and waits until it has changed. A
// signal wakes all waiting threads, which is allowed, since spurious wake-ups are. No signal is lost, because
// the counter is read before the mutex is released.
#include "porf.h"

void __porf_await(int* signals, int* mutex) {
  const int before = GLANCE(signals);
  __porf_unlock(mutex);
  __porf_wait(LOAD(signals) != before);
  __porf_lock(mutex);
}

// With a time limit, which may pass before any signal or not: both are explored. 1: it has passed. Without a signal
// it must pass, so that is no deadlock.
int __porf_await_some_time(int* signals, int* mutex) {
  const int passes = __VERIFIER_nondet_bool(), before = passes ? 0 : GLANCE(signals);
  __porf_unlock(mutex);
  if (!passes) __porf_assume(LOAD(signals) != before);
  __porf_lock(mutex);
  return passes;
}

void __porf_signal(int* signals) { __atomic_fetch_add(signals, 1, __ATOMIC_RELEASE); }

int pthread_cond_init(pthread_cond_t* restrict c, const pthread_condattr_t* restrict attributes) {
  *(int*)c = 0;
  return 0;
}

int pthread_cond_destroy(pthread_cond_t* c) { return 0; }

int pthread_cond_wait(pthread_cond_t* restrict c, pthread_mutex_t* restrict m) {
  __porf_await((int*)c, (int*)m);
  return 0;
}

int pthread_cond_timedwait(pthread_cond_t* restrict c, pthread_mutex_t* restrict m,
                           const struct timespec* restrict until) {
  return __porf_await_some_time((int*)c, (int*)m) ? ETIMEDOUT : 0;
}

int pthread_cond_signal(pthread_cond_t* c) {
  __porf_signal((int*)c);
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t* c) {
  __porf_signal((int*)c);
  return 0;
}

int cnd_init(cnd_t* c) {
  *(int*)c = 0;
  return thrd_success;
}

void cnd_destroy(cnd_t* c) {}

int cnd_wait(cnd_t* c, mtx_t* m) {
  __porf_await((int*)c, (int*)m);
  return thrd_success;
}

int cnd_timedwait(cnd_t* restrict c, mtx_t* restrict m, const struct timespec* restrict until) {
  return __porf_await_some_time((int*)c, (int*)m) ? thrd_timedout : thrd_success;
}

int cnd_signal(cnd_t* c) {
  __porf_signal((int*)c);
  return thrd_success;
}

int cnd_broadcast(cnd_t* c) {
  __porf_signal((int*)c);
  return thrd_success;
}
