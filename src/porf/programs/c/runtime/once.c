// Initialisation that happens once: 0 not yet, 1 in progress, 2 done.
#include "porf.h"

int __porf_once_begins(int* state) {
  for (;;) {
    int found = 0;
    if (__atomic_compare_exchange_n(state, &found, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) return 1;
    if (found == 1) {
      found = LOAD(state);
      __porf_wait(found != 1);
    }
    if (found == 2) return 0;  // otherwise an exception has ended the other one's try
  }
}

void __porf_once_ends(int* state) { __atomic_store_n(state, 2, __ATOMIC_RELEASE); }

int pthread_once(pthread_once_t* once, void (*function)(void)) {
  if (__porf_once_begins((int*)once)) {
    function();
    __porf_once_ends((int*)once);
  }
  return 0;
}

void call_once(once_flag* once, void (*function)(void)) {
  if (__porf_once_begins((int*)once)) {
    function();
    __porf_once_ends((int*)once);
  }
}
