// Functions of the system: errno, clocks, which stand still, and options.
#include "porf.h"
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Thread_local int porf_errno;

int* __errno_location(void) { return &porf_errno; }

time_t time(time_t* now) {
  if (now) *now = 0;
  return 0;
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  now->tv_sec = 0;
  now->tv_nsec = 0;
  return 0;
}

int timespec_get(struct timespec* now, int base) {
  now->tv_sec = 0;
  now->tv_nsec = 0;
  return base;
}

int gettimeofday(struct timeval* restrict now, void* restrict zone) {
  now->tv_sec = 0;
  now->tv_usec = 0;
  return 0;
}

// Options of one character each.

char* optarg;
int optind = 1;
int opterr = 1;
int optopt;

int getopt(int count, char* const* arguments, const char* options) {
  static int within;  // the index of the next option in the current argument
  if (optind >= count) return -1;
  char* const at = arguments[optind];
  if (!within && (at[0] != '-' || !at[1])) return -1;
  if (!within && at[1] == '-' && !at[2]) {
    optind++;
    return -1;
  }
  if (!within) within = 1;
  const char option = at[within++];
  const char* known = options;
  while (*known && *known != option) known++;
  char* const rest = &at[within];
  const int takes = *known && known[1] == ':';
  if (takes || !*rest) {
    optind++;
    within = 0;
  }
  if (takes && *rest)
    optarg = rest;
  else if (takes && optind < count)
    optarg = arguments[optind++];
  else if (takes || !*known || option == ':') {
    optopt = option;
    return '?';
  }
  return option;
}

int __posix_getopt(int count, char* const* arguments, const char* options) {
  return getopt(count, arguments, options);
}

void perror(const char* text) {}

// There is one process, on a machine with two processors and no environment.

pid_t getpid(void) { return 1; }

pid_t getppid(void) { return 0; }

pid_t gettid(void) { return (pid_t)__porf_self(); }

char* getenv(const char* name) { return 0; }

char* secure_getenv(const char* name) { return 0; }

long sysconf(int what) { return what == _SC_PAGESIZE ? 4096 : what == _SC_CLK_TCK ? 100 : 2; }

int getpagesize(void) { return 4096; }

int get_nprocs(void) { return 2; }

int get_nprocs_conf(void) { return 2; }

int sched_getcpu(void) { return (int)(__porf_self() % 2); }

int isatty(int file) { return 0; }

// A thread that waits at a futex may wake up at any time, so that it has waited long enough when the word has changed.
long syscall(long number, ...) {
  va_list arguments;
  va_start(arguments, number);
  long found = 0;
  if (number == SYS_futex) {
    int* const word = va_arg(arguments, int*);
    const int kind = va_arg(arguments, int) & 127, value = va_arg(arguments, int);
    if (kind != 0 && kind != 1) __porf_unsupported("a futex call other than FUTEX_WAIT and FUTEX_WAKE");
    if (kind == 0) __porf_wait(LOAD(word) != value);
  } else if (number == SYS_gettid) {
    found = (long)__porf_self();
  } else if (number == SYS_getpid) {
    found = 1;
  } else if (number != SYS_sched_yield) {
    __porf_unsupported("a system call other than futex, gettid, getpid and sched_yield");
  }
  va_end(arguments);
  return found;
}
