// A lock of readers and a writer whose readers leave by a relaxed decrement: the writer may come before what they read.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define BIAS 0x1000
static atomic_int lock = BIAS;
static int shared;

static void *reader(void *unused) {
  for (int i = 0; i < 2; i++) {
    if (atomic_fetch_sub_explicit(&lock, 1, memory_order_acquire) > 0) (void)*(volatile int *)&shared;
    atomic_fetch_add_explicit(&lock, 1, memory_order_relaxed);  // should be release
  }
  return 0;
}

static void *writer(void *unused) {
  for (int i = 0; i < 2; i++) {
    if (atomic_fetch_sub_explicit(&lock, BIAS, memory_order_acquire) == BIAS) shared++;
    atomic_fetch_add_explicit(&lock, BIAS, memory_order_release);
  }
  return 0;
}

int main(void) {
  pthread_t r[2], w;
  for (int i = 0; i < 2; i++) pthread_create(&r[i], 0, reader, 0);
  pthread_create(&w, 0, writer, 0);
  for (int i = 0; i < 2; i++) pthread_join(r[i], 0);
  pthread_join(w, 0);
}
