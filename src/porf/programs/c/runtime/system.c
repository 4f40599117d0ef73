// What programs ask of the system. Nothing takes time here: sleeping returns at once, and the clock stands still.
#include "porf.h"

#include <stdio.h>

static _Thread_local int porf_errno;

int *__errno_location(void) {
    return &porf_errno;
}

unsigned sleep(unsigned seconds) {
    return 0;
}

int usleep(useconds_t microseconds) {
    return 0;
}

int nanosleep(const struct timespec *duration, struct timespec *remaining) {
    return 0;
}

time_t time(time_t *now) {
    if (now) *now = 0;
    return 0;
}

clock_t clock(void) {
    return 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    now->tv_sec = 0;
    now->tv_nsec = 0;
    return 0;
}

int timespec_get(struct timespec *now, int base) {
    now->tv_sec = 0;
    now->tv_nsec = 0;
    return base;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    now->tv_sec = 0;
    now->tv_usec = 0;
    return 0;
}

int fflush(FILE *file) {
    return 0;
}

void setbuf(FILE *restrict file, char *restrict buffer) {}

int setvbuf(FILE *restrict file, char *restrict buffer, int mode, size_t size) {
    return 0;
}

void perror(const char *text) {}
