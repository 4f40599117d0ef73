// Functions of the system: errno, clocks, which stand still, processors, memory, system calls.
#include "porf.h"
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef __CPU_SETSIZE  // the C library has it for _GNU_SOURCE only
typedef struct { unsigned long bits[16]; } cpu_set_t;
#endif

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

static int porf_two_processors(size_t size, void* set) {
  memset(set, 0, size);
  *(unsigned long*)set = 3;
  return 0;
}

int sched_getaffinity(pid_t of, size_t size, cpu_set_t* set) { return porf_two_processors(size, set); }

int pthread_getaffinity_np(pthread_t of, size_t size, cpu_set_t* set) { return porf_two_processors(size, set); }

int __sched_cpucount(size_t size, const cpu_set_t* set) {
  int found = 0;
  for (size_t i = 0; i < size / sizeof(long); i++) found += __builtin_popcountl(((const unsigned long*)set)[i]);
  return found;
}

int raise(int signal) {
  if (signal == SIGABRT) abort();
  __porf_unsupported("a signal that the program sends to itself");
  return 0;
}

// Memory of pages is memory of the heap.

void* mmap(void* at, size_t size, int protection, int flags, int file, off_t offset) {
  if (!(flags & MAP_ANONYMOUS)) __porf_unsupported("a file that is mapped to memory");
  return calloc(1, size);
}

int munmap(void* at, size_t size) {
  free(at);
  return 0;
}

int mprotect(void* at, size_t size, int protection) { return 0; }

int madvise(void* at, size_t size, int advice) { return 0; }

void* reallocarray(void* old, size_t count, size_t size) {
  size_t whole;
  return __builtin_mul_overflow(count, size, &whole) ? 0 : realloc(old, whole);
}

// It is the first of January 1970.

struct tm* gmtime_r(const time_t* restrict when, struct tm* restrict found) {
  memset(found, 0, sizeof *found);
  found->tm_year = 70;
  found->tm_mday = 1;
  found->tm_wday = 4;
  return found;
}

struct tm* localtime_r(const time_t* restrict when, struct tm* restrict found) { return gmtime_r(when, found); }

static struct tm porf_time;

struct tm* gmtime(const time_t* when) { return gmtime_r(when, &porf_time); }

struct tm* localtime(const time_t* when) { return gmtime_r(when, &porf_time); }

size_t strftime(char* restrict to, size_t room, const char* restrict format, const struct tm* restrict when) {
  static const char text[] = "1970-01-01 00:00:00";
  if (room < sizeof text) return 0;
  memcpy(to, text, sizeof text);
  return sizeof text - 1;
}

int clock_getres(clockid_t clock, struct timespec* step) {
  if (step) {
    step->tv_sec = 0;
    step->tv_nsec = 1;
  }
  return 0;
}

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
