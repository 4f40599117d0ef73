// What programs ask of the system. The clock stands still.
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

void perror(const char* text) {}
