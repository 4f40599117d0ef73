// Two threads that add 1 to a counter, each inside ENTER and LEAVE.
#include <assert.h>
#include <pthread.h>

static int counter;

static void *adds(void *unused) {
    ENTER;
    counter++;
    LEAVE;
    return 0;
}

static void count_to_two(void) {
    pthread_t a, b;
    pthread_create(&a, 0, adds, 0);
    pthread_create(&b, 0, adds, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
}
