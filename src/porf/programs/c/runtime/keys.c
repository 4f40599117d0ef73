// Thread-specific data: each thread has an array with an element for each key. At the end of a thread the
// destructors of its data run, in the order of the keys, once.
#include "porf.h"

enum { KEYS = 16 };

static int porf_keys;
static void (*porf_destructors[KEYS])(void*);
static _Thread_local void* porf_values[KEYS];

void __porf_keys_end(void) {
  for (int key = 0; key < KEYS; key++) {
    void* const value = porf_values[key];
    if (!value) continue;
    porf_values[key] = 0;
    if (porf_destructors[key]) porf_destructors[key](value);
  }
}

static int porf_new_key(void (*destructor)(void*)) {
  const int key = __atomic_fetch_add(&porf_keys, 1, __ATOMIC_ACQ_REL);
  if (key >= KEYS) {
    __porf_fail("more than 16 keys of thread-specific data, which is not supported");
    return 0;
  }
  __porf_keep(__porf_keys_end);
  porf_destructors[key] = destructor;
  return key;
}

int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  *key = (pthread_key_t)porf_new_key(destructor);
  return 0;
}

int pthread_key_delete(pthread_key_t key) {
  porf_destructors[key] = 0;
  return 0;
}

void* pthread_getspecific(pthread_key_t key) { return porf_values[key]; }

int pthread_setspecific(pthread_key_t key, const void* value) {
  porf_values[key] = (void*)value;
  return 0;
}

int tss_create(tss_t* key, tss_dtor_t destructor) {
  *key = (tss_t)porf_new_key(destructor);
  return thrd_success;
}

void tss_delete(tss_t key) { porf_destructors[key] = 0; }

void* tss_get(tss_t key) { return porf_values[key]; }

int tss_set(tss_t key, void* value) {
  porf_values[key] = value;
  return thrd_success;
}
