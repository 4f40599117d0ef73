// C11 threads.
#include "porf.h"

int thrd_create(thrd_t* thread, thrd_start_t start, void* argument) {
  thread->priv = __porf_spawn((porf_start)(void*)start, argument);
  return thrd_success;
}

int thrd_join(thrd_t thread, int* result) {
  void* const returned = __porf_join(thread.priv);
  if (result) *result = (int)(intptr_t)returned;
  return thrd_success;
}

int thrd_detach(thrd_t thread) {
  pthread_detach(thread.priv);
  return thrd_success;
}

void thrd_exit(int result) { pthread_exit((void*)(intptr_t)result); }

thrd_t thrd_current(void) { return (thrd_t){__porf_self()}; }

int thrd_equal(thrd_t a, thrd_t b) { return a.priv == b.priv; }
