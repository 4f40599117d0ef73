// executions: sc 2, rc11 2
// What porf does not know does no harm where no execution gets to it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

typedef int four __attribute__((vector_size(16)));
extern int elsewhere;
int mystery(const char *what, ...);
void report(int level, const char *what) __attribute__((weak));
static int (*const handlers[])(const char *, ...) = {0, mystery};
static atomic_int x;
static four lanes;

static void *client(void *unused) {
  int old = atomic_fetch_add(&x, 1);
  if (old > 5) {
    for (int i = 0; i < elsewhere; i++) mystery("too many: %d", old);
    __asm__ volatile("wbinvd" ::: "memory");
    lanes += old;
    four mine = old > 6 ? lanes : lanes + 1;
    old = mine[1] + handlers[1]("no");
  }
  if (report) report(1, "done");
  return (void *)(long)old;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, client, 0);
  pthread_create(&two, 0, client, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(x == 2 && handlers[1] == mystery && !handlers[0]);
  return 0;
}
