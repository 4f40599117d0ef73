// executions: rc11 6
// A mutex of a futex: 0 free, 1 taken, 2 taken, and somebody waits.
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static int counter;

static void lock(void) {
  int found = 0;
  if (atomic_compare_exchange_strong(&word, &found, 1)) return;
  while (atomic_exchange(&word, 2)) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, 0, 0, 0);
}

static void unlock(void) {
  if (atomic_exchange(&word, 0) == 2) syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

static void *client(void *unused) {
  lock();
  counter++;
  unlock();
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, client, 0);
  pthread_create(&two, 0, client, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(counter == 2);
  return 0;
}
