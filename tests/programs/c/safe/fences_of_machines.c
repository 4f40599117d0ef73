// executions: rc11 3, sc 3
// Fences of several machines, hints for processors, and assembly that only hides values from the compiler.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static int turn(atomic_int *mine, atomic_int *other, int arm) {
  unsigned low, high;
  atomic_store_explicit(mine, 1, memory_order_relaxed);
  if (arm)
    __asm__ __volatile__("dmb\tish\n" ::: "memory");
  else
    __asm__ __volatile__("lock;\n\torl $0, (%%rsp) # a fence" ::: "memory", "cc");
  __asm__ __volatile__("rep; nop\n\tpause" ::: "memory");
  __asm__ __volatile__("yield");
  __asm__ __volatile__("rdtsc" : "=a"(low), "=d"(high));
  assert(low == 0 && high == 0);
  int found = atomic_load_explicit(other, memory_order_relaxed);
  __asm__ __volatile__("" : "+r"(found), "+m"(*other));
  return found;
}

static void *thread(void *unused) { return (void *)(long)turn(&x, &y, 1); }

int main(void) {
  pthread_t t;
  void *seen;
  pthread_create(&t, 0, thread, 0);
  int own = turn(&y, &x, 0);
  pthread_join(t, &seen);
  assert(own || seen);
  return 0;
}
