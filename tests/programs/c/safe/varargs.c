// executions: sc 2, rc11 2
// Functions of one's own with any number of arguments: of all widths, more than registers hold, lists that are copied and
// passed on, structures, through pointers, in threads.
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>

struct pair { long a, b; };
struct large { long numbers[3]; char last; };
static atomic_int total;

static int vsum(int n, va_list list) {
  int found = 0;
  while (n-- > 0) found += va_arg(list, int);
  return found;
}

static int sum(int n, ...) {
  va_list list, again;
  va_start(list, n);
  va_copy(again, list);
  const int first = vsum(n, list), second = vsum(n, again);
  va_end(list);
  va_end(again);
  return first == second ? first : -1;
}

static long mixed(const char *kinds, ...) {
  va_list list;
  long found = 0;
  va_start(list, kinds);
  for (; *kinds; kinds++) {
    if (*kinds == 'i') found += va_arg(list, int);
    if (*kinds == 'l') found += va_arg(list, long);
    if (*kinds == 'p') found += *va_arg(list, int *);
    if (*kinds == 's') { struct pair p = va_arg(list, struct pair); found += p.a * p.b; }
    if (*kinds == 'b') { struct large l = va_arg(list, struct large); found += l.numbers[2] + l.last; }
    if (*kinds == 'r') found += sum(2, va_arg(list, int), 1);
  }
  va_end(list);
  return found;
}

static void *client(void *argument) {
  int (*const through)(int, ...) = sum;
  atomic_fetch_add(&total, through(2, (int)(intptr_t)argument, 10));
  return 0;
}

int main(void) {
  int seven = 7;
  assert(sum(0) == 0 && sum(2, 3, 4) == 7 && sum(9, 1, 2, 3, 4, 5, 6, 7, 8, -9) == 27);
  struct large large = {{1, 2, 3}, 4};
  assert(mixed("ibi", 1, large, 2) == 10);
  assert(mixed("ilpsri", (char)-1, 1L << 40, &seven, ((struct pair){3, 5}), 2, (short)100) == (1L << 40) + 124);
  int (*volatile any)(int, ...) = sum;
  assert(any(3, 1, 2, 3) == 6);
  pthread_t one, two;
  pthread_create(&one, 0, client, (void *)1);
  pthread_create(&two, 0, client, (void *)2);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(total == 23);
  return 0;
}
