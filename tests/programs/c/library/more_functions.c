// executions: rc11 1
// Functions of the C library that programs call besides: strings, the system, what the compiler has built in.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
int memcpy_s(void* d, size_t n, const void* s, size_t m);
int memset_s(void* d, size_t n, int c, size_t m);
int strcpy_s(char* d, size_t n, const char* s);
static int cmp(const void* a, const void* b) {
  int x = *(int*)a, y = *(int*)b;
  return (x > y) - (x < y);
}
struct rec {
  int k;
  long v;
};
static struct rec recs[4] = {{3, 30}, {1, 10}, {2, 20}, {0, 0}};
static int cmpr(const void* a, const void* b) { return ((struct rec*)a)->k - ((struct rec*)b)->k; }
int main(int argc, char** argv) {
  char b[64] = "hello world", *save;
  assert(strnlen(b, 3) == 3 && strnlen(b, 64) == 11);
  assert(ffs(0) == 0 && ffs(8) == 4 && ffsl(1L << 40) == 41 && ffsll(1) == 1);
  char c[16];
  assert(memcpy_s(c, sizeof c, b, 12) == 0 && !strcmp(c, b));
  assert(memcpy_s(c, 4, b, 12) == ERANGE && c[0] == 0);
  assert(memset_s(c, sizeof c, 'x', 3) == 0 && c[2] == 'x');
  assert(strcpy_s(c, sizeof c, "hey") == 0 && !strcmp(c, "hey"));
  char* t = strtok_r(b, " ", &save);
  assert(!strcmp(t, "hello"));
  t = strtok_r(0, " ", &save);
  assert(!strcmp(t, "world"));
  assert(!strtok_r(0, " ", &save));
  assert(!strcasecmp("ABC", "abc") && strspn("aab", "a") == 2 && strcspn("aab", "b") == 2);
  int a[5] = {3, 1, 2, 5, 4};
  qsort(a, 5, sizeof *a, cmp);
  for (int i = 0; i < 5; i++) assert(a[i] == i + 1);
  qsort(recs, 4, sizeof *recs, cmpr);
  for (int i = 0; i < 4; i++) assert(recs[i].k == i && recs[i].v == 10 * i);
  int k = 4;
  assert(*(int*)bsearch(&k, a, 5, sizeof *a, cmp) == 4);
  assert(getenv("HOME") == 0 && sysconf(_SC_NPROCESSORS_ONLN) > 0 && getpid() > 0);
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(1, &set);
  assert(CPU_ISSET(1, &set));
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
  usleep(1);
  sched_yield();
  struct timespec ts = {0, 1};
  nanosleep(&ts, 0);
  struct timeval tv;
  gettimeofday(&tv, 0);
  clock();
  time(0);
  errno = 0;
  assert(strtol("0x1f", 0, 0) == 31 && isxdigit('f') && ispunct('!') && !errno);
  pthread_attr_t at;
  pthread_attr_init(&at);
  pthread_attr_setdetachstate(&at, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&at, 1 << 16);
  pthread_attr_destroy(&at);
  puts("a");
  putchar('c');
  fputs("x", stderr);
  fprintf(stderr, "%d", 3);
  fflush(stdout);
  perror("x");
  assert(__builtin_popcount(255) == 8 && __builtin_clz(1) == 31 && __builtin_ctz(8) == 3 &&
         __builtin_bswap32(1) == 1 << 24 && __builtin_parity(7) == 1);
  int o;
  assert(__builtin_add_overflow(0x7fffffff, 1, &o));
  assert(!__builtin_mul_overflow(3, 4, &o) && o == 12);
  __builtin_prefetch(b);
  if (__builtin_expect(o == 13, 0)) __builtin_trap();
  __builtin_assume(o == 12);
  assert(__builtin_object_size(b, 0) == 64 || 1);
  assert(__builtin_constant_p(3) || 1);
  assert(__builtin_types_compatible_p(int, int));
  char* d = __builtin___memcpy_chk(c, "abc", 4, 16);
  assert(d == c && !strcmp(c, "abc"));
  if (argc > 1 && !strcmp(argv[1], "-v")) abort();
  if (o == 13) __builtin_unreachable();
  void* ra = __builtin_return_address(0);
  (void)ra;
  assert(__builtin_rotateleft32(1, 4) == 16);
  char* al = __builtin_alloca(8);
  al[7] = 1;
  assert(al[7] == 1);
  assert(__builtin_bitreverse8(1) == 128);
  assert(__builtin_choose_expr(1, 2, 3) == 2 && __builtin_abs(-3) == 3 && __builtin_ffs(4) == 3 &&
         __builtin_clzll(1) == 63 && __builtin_strlen("abc") == 3);
  assert(htons(1) == 256 && ntohl(htonl(77)) == 77);
  return 0;
}
