// Threads of C11, and what POSIX has beyond create, join and exit.
#include "porf.h"

#include <threads.h>

int thrd_create(thrd_t *thread, thrd_start_t start, void *argument) {
    *thread = __porf_spawn((porf_start)(void *)start, argument);
    return thrd_success;
}

int thrd_join(thrd_t thread, int *result) {
    void *const returned = __porf_join(thread);
    if (result) *result = (int)(intptr_t)returned;
    return thrd_success;
}

int thrd_detach(thrd_t thread) {
    pthread_detach(thread);
    return thrd_success;
}

void thrd_exit(int result) {
    pthread_exit((void *)(intptr_t)result);
}

thrd_t thrd_current(void) {
    return __porf_self();
}

int thrd_equal(thrd_t a, thrd_t b) {
    return a == b;
}

void thrd_yield(void) {}

int thrd_sleep(const struct timespec *duration, struct timespec *remaining) {
    return 0;
}

int sched_yield(void) {
    return 0;
}

int pthread_setname_np(pthread_t thread, const char *name) {
    return 0;
}

int pthread_setconcurrency(int level) {
    return 0;
}
