// Thread-specific data: each thread has an array with an element for each key. In a program that makes keys,
// threads are started and ended here, so that the destructors of their data run (in the order of the keys,
// once).
#include "porf.h"

enum { KEYS = 16 };

static int porf_keys;
static void (*porf_destructors[KEYS])(void*);
static _Thread_local void* porf_values[KEYS];

static int porf_new_key(void (*destructor)(void*)) {
  const int key = __atomic_fetch_add(&porf_keys, 1, __ATOMIC_ACQ_REL);
  if (key >= KEYS) {
    __porf_fail("more than 16 keys of thread-specific data, which is not supported");
    return 0;
  }
  porf_destructors[key] = destructor;
  return key;
}

static void porf_leave(void) {
  for (int key = 0; key < KEYS; key++) {
    void* const value = porf_values[key];
    if (!value) continue;
    porf_values[key] = 0;
    if (porf_destructors[key]) porf_destructors[key](value);
  }
}

struct porf_thread {
  porf_start start;
  void* argument;
};

static void* porf_run(void* it) {
  const struct porf_thread thread = *(struct porf_thread*)it;
  free(it);
  void* const result = thread.start(thread.argument);
  porf_leave();
  return result;
}

#define WITH_KEYS(function) function##__with__pthread_key_create__or__tss_create

int WITH_KEYS(pthread_create)(pthread_t* thread, const pthread_attr_t* attributes, porf_start start, void* argument) {
  struct porf_thread* const it = malloc(sizeof *it);
  it->start = start;
  it->argument = argument;
  *thread = __porf_spawn(porf_run, it);
  return 0;
}

void WITH_KEYS(pthread_exit)(void* result) {
  porf_leave();
  pthread_exit(result);
}

int WITH_KEYS(thrd_create)(thrd_t* thread, thrd_start_t start, void* argument) {
  return WITH_KEYS(pthread_create)(&thread->priv, 0, (porf_start)(void*)start, argument);
}

void WITH_KEYS(thrd_exit)(int result) { WITH_KEYS(pthread_exit)((void*)(intptr_t)result); }

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
