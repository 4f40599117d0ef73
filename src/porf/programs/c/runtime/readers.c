// Locks for many readers or one writer. A word holds the number of readers, and whether there is a writer. A
// reader counts itself in, and waits while there is a writer; a writer enters when the word is 0. So each
// takes one update.
#include "porf.h"

enum { WRITER = 1 << 30 };

void __porf_read_lock(int* lock) {
  if (__atomic_fetch_add(lock, 1, __ATOMIC_ACQUIRE) & WRITER) __porf_wait(!(LOAD(lock) & WRITER));
}

int __porf_read_trylock(int* lock) {
  int found = GLANCE(lock);
  do {
    if (found & WRITER) return 0;
  } while (!__atomic_compare_exchange_n(lock, &found, found + 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
  return 1;
}

void __porf_read_unlock(int* lock) {
  const int found = __atomic_fetch_sub(lock, 1, __ATOMIC_RELEASE);
  if (!(found & ~WRITER)) __porf_fail("unlock of a lock that no reader holds");
}

void __porf_write_lock(int* lock) {
  int nobody = 0;
  __porf_wait(__atomic_compare_exchange_n(lock, &nobody, WRITER, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
}

int __porf_write_trylock(int* lock) {
  int nobody = 0;
  return __atomic_compare_exchange_n(lock, &nobody, WRITER, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

void __porf_write_unlock(int* lock) {
  const int found = __atomic_fetch_sub(lock, WRITER, __ATOMIC_RELEASE);
  if (!(found & WRITER)) __porf_fail("unlock of a lock that no writer holds");
}

// POSIX has one unlock for both: the writer leaves a mark beside the word, which is accessed only while the
// lock is held.

int pthread_rwlock_init(pthread_rwlock_t* restrict l, const pthread_rwlockattr_t* restrict attributes) {
  ((int*)l)[0] = 0;
  ((int*)l)[1] = 0;
  return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t* l) { return 0; }

int pthread_rwlock_rdlock(pthread_rwlock_t* l) {
  __porf_read_lock((int*)l);
  return 0;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t* l) { return __porf_read_trylock((int*)l) ? 0 : EBUSY; }

int pthread_rwlock_wrlock(pthread_rwlock_t* l) {
  __porf_write_lock((int*)l);
  ((int*)l)[1] = 1;
  return 0;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t* l) {
  if (!__porf_write_trylock((int*)l)) return EBUSY;
  ((int*)l)[1] = 1;
  return 0;
}

int pthread_rwlock_unlock(pthread_rwlock_t* l) {
  if (((int*)l)[1]) {
    ((int*)l)[1] = 0;
    __porf_write_unlock((int*)l);
  } else {
    __porf_read_unlock((int*)l);
  }
  return 0;
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t* restrict l, const struct timespec* restrict until) {
  if (__VERIFIER_nondet_bool()) return pthread_rwlock_rdlock(l);
  return pthread_rwlock_tryrdlock(l) ? ETIMEDOUT : 0;
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t* restrict l, const struct timespec* restrict until) {
  if (__VERIFIER_nondet_bool()) return pthread_rwlock_wrlock(l);
  return pthread_rwlock_trywrlock(l) ? ETIMEDOUT : 0;
}
