// Mutexes other than the plain ones that the translator knows: C11's, and recursive ones. How often a thread
// holds a recursive mutex is counted in thread-local memory, so it takes no events.
#include "porf.h"

enum { HELD = 16 };

static _Thread_local struct {
  int* mutex;
  int times;
} porf_held[HELD];

// The index of a mutex among those that the thread holds, or of a free place (`mutex` null), or -1.
static int porf_holding(const int* mutex) {
  for (int i = 0; i < HELD; i++)
    if (porf_held[i].mutex == mutex) return i;
  return -1;
}

static int porf_held_again(int* mutex) {
  const int at = porf_holding(mutex);
  if (at < 0) return 0;
  porf_held[at].times++;
  return 1;
}

static void porf_held_first(int* mutex) {
  const int at = porf_holding(0);
  if (at < 0) {
    __porf_fail("a thread holds more than 16 recursive mutexes, which is not supported");
    return;
  }
  porf_held[at].mutex = mutex;
  porf_held[at].times = 1;
}

void __porf_lock_again(int* mutex) {
  if (porf_held_again(mutex)) return;
  __porf_lock(mutex);
  porf_held_first(mutex);
}

int __porf_trylock_again(int* mutex) {
  if (porf_held_again(mutex)) return 1;
  if (!__porf_trylock(mutex)) return 0;
  porf_held_first(mutex);
  return 1;
}

void __porf_unlock_again(int* mutex) {
  const int at = porf_holding(mutex);
  if (at < 0) {
    __porf_fail("unlock of a recursive mutex that the thread does not hold");
    return;
  }
  if (--porf_held[at].times > 0) return;
  porf_held[at].mutex = 0;
  __porf_unlock(mutex);
}

// C11. The kind is stored beside the lock and read at each use: an event, but one that can read only one write.

int mtx_init(mtx_t* m, int kind) {
  ((int*)m)[0] = 0;
  ((int*)m)[1] = kind;
  return thrd_success;
}

void mtx_destroy(mtx_t* m) {}

static int porf_recursive(const mtx_t* m) { return ((const int*)m)[1] & mtx_recursive; }

int mtx_lock(mtx_t* m) {
  if (porf_recursive(m))
    __porf_lock_again((int*)m);
  else
    __porf_lock((int*)m);
  return thrd_success;
}

int mtx_trylock(mtx_t* m) {
  if (__porf_fails()) return thrd_busy;
  const int taken = porf_recursive(m) ? __porf_trylock_again((int*)m) : __porf_trylock((int*)m);
  return taken ? thrd_success : thrd_busy;
}

int mtx_timedlock(mtx_t* restrict m, const struct timespec* restrict until) {
  if (__VERIFIER_nondet_bool()) return mtx_lock(m);
  return mtx_trylock(m) == thrd_success ? thrd_success : thrd_timedout;
}

int mtx_unlock(mtx_t* m) {
  if (porf_recursive(m))
    __porf_unlock_again((int*)m);
  else
    __porf_unlock((int*)m);
  return thrd_success;
}

// POSIX. Only in a program that calls pthread_mutexattr_settype do mutexes have kinds.

#define WITH_KINDS(function) function##__with__pthread_mutexattr_settype

int pthread_mutexattr_init(pthread_mutexattr_t* a) {
  *(int*)a = PTHREAD_MUTEX_DEFAULT;
  return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t* a, int kind) {
  *(int*)a = kind;
  return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t* restrict a, int* restrict kind) {
  *kind = *(const int*)a;
  return 0;
}

int WITH_KINDS(pthread_mutex_init)(int* m, const int* attributes) {
  m[0] = 0;
  m[1] = attributes ? *attributes : PTHREAD_MUTEX_DEFAULT;
  return 0;
}

int WITH_KINDS(pthread_mutex_lock)(int* m) {
  if (m[1] == PTHREAD_MUTEX_RECURSIVE) {
    __porf_lock_again(m);
  } else if (m[1] == PTHREAD_MUTEX_ERRORCHECK) {
    if (porf_holding(m) >= 0) return EDEADLK;
    __porf_lock_again(m);
  } else {
    __porf_lock(m);
  }
  return 0;
}

int WITH_KINDS(pthread_mutex_trylock)(int* m) {
  if (m[1] == PTHREAD_MUTEX_RECURSIVE) return __porf_trylock_again(m) ? 0 : EBUSY;
  if (!__porf_trylock(m)) return EBUSY;
  if (m[1] == PTHREAD_MUTEX_ERRORCHECK) porf_held_first(m);
  return 0;
}

int WITH_KINDS(pthread_mutex_unlock)(int* m) {
  if (m[1] == PTHREAD_MUTEX_ERRORCHECK && porf_holding(m) < 0) return EPERM;
  if (m[1] == PTHREAD_MUTEX_RECURSIVE || m[1] == PTHREAD_MUTEX_ERRORCHECK)
    __porf_unlock_again(m);
  else
    __porf_unlock(m);
  return 0;
}

int WITH_KINDS(pthread_mutex_timedlock)(int* m, const struct timespec* until) {
  if (__VERIFIER_nondet_bool()) return WITH_KINDS(pthread_mutex_lock)(m);
  return WITH_KINDS(pthread_mutex_trylock)(m) ? ETIMEDOUT : 0;
}

int pthread_mutex_timedlock(pthread_mutex_t* restrict m, const struct timespec* restrict until) {
  if (__VERIFIER_nondet_bool()) return pthread_mutex_lock(m);
  return pthread_mutex_trylock(m) ? ETIMEDOUT : 0;
}
