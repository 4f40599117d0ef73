// Functions of the system: errno, clocks, which stand still, and options.
#include <stdio.h>

#include "porf.h"

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

void perror(const char* text) {}
