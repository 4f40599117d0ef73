// A work-stealing deque (Chase and Lev) whose owner publishes its bottom by a relaxed store: a thief may find a slot that
// it does not know of.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define TASKS 6
static atomic_int top, bottom, slots[8], done[TASKS + 1];

static void push(int task) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed);
  atomic_store_explicit(&slots[b & 7], task, memory_order_relaxed);
  atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);  // should be release
}

static int take(void) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  int t = atomic_load_explicit(&top, memory_order_relaxed), task = 0;
  if (t <= b) {
    task = atomic_load_explicit(&slots[b & 7], memory_order_relaxed);
    if (t == b) {
      if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed)) task = 0;
      atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    }
  } else {
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
  }
  return task;
}

static void *thief(void *unused) {
  for (int i = 0; i < 2; i++) {
    int t = atomic_load_explicit(&top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    int b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t >= b) continue;
    int task = atomic_load_explicit(&slots[t & 7], memory_order_relaxed);
    if (atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed)) {
      assert(task != 0);
      assert(atomic_fetch_add_explicit(&done[task], 1, memory_order_relaxed) == 0);
    }
  }
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, thief, 0);
  for (int i = 1; i <= TASKS; i++) {
    push(i);
    if (i % 2 == 0) {
      int task = take();
      if (task) assert(atomic_fetch_add_explicit(&done[task], 1, memory_order_relaxed) == 0);
    }
  }
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}
