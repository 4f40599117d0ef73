// Two threads set a bit each and one clears a third one: 3! orders of the updates.
// executions: rc11 6, sc 6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic unsigned char flags = 4;

void *set_low(void *unused) {
    atomic_fetch_or(&flags, 1);
    return NULL;
}

void *set_high(void *unused) {
    atomic_fetch_xor(&flags, 128);
    return NULL;
}

void *clear(void *unused) {
    atomic_fetch_and(&flags, (unsigned char)~4);
    return NULL;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], NULL, set_low, NULL);
    pthread_create(&t[1], NULL, set_high, NULL);
    pthread_create(&t[2], NULL, clear, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    pthread_join(t[2], NULL);
    assert(atomic_load(&flags) == 129);
    return 0;
}
