// Semaphores: how many units were given, and how many were asked for. A thread that asks takes a number, and
// waits until more than that were given. Both only grow, so a value never stands for two states.
#include "porf.h"

enum { GIVEN, ASKED };

void __porf_take(int* s) {
  const int number = __atomic_fetch_add(&s[ASKED], 1, __ATOMIC_ACQUIRE);
  __porf_wait(LOAD(&s[GIVEN]) > number);
}

int __porf_trytake(int* s) {
  int number = GLANCE(&s[ASKED]);
  do {
    if (LOAD(&s[GIVEN]) <= number) return 0;
  } while (
      !__atomic_compare_exchange_n(&s[ASKED], &number, number + 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
  return 1;
}

void __porf_give(int* s, int count) { __atomic_fetch_add(&s[GIVEN], count, __ATOMIC_RELEASE); }

int sem_init(sem_t* s, int shared, unsigned value) {
  ((int*)s)[GIVEN] = (int)value;
  ((int*)s)[ASKED] = 0;
  return 0;
}

int sem_destroy(sem_t* s) { return 0; }

int sem_wait(sem_t* s) {
  __porf_take((int*)s);
  return 0;
}

int sem_trywait(sem_t* s) {
  if (__porf_trytake((int*)s)) return 0;
  errno = EAGAIN;
  return -1;
}

int sem_timedwait(sem_t* restrict s, const struct timespec* restrict until) {
  if (__VERIFIER_nondet_bool()) return sem_wait(s);
  if (__porf_trytake((int*)s)) return 0;
  errno = ETIMEDOUT;
  return -1;
}

int sem_post(sem_t* s) {
  __porf_give((int*)s, 1);
  return 0;
}

int sem_getvalue(sem_t* restrict s, int* restrict value) {
  const int left = LOAD(&((int*)s)[GIVEN]) - LOAD(&((int*)s)[ASKED]);
  *value = left > 0 ? left : 0;
  return 0;
}
