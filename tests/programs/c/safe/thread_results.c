// What a thread returns, or gives to pthread_exit, is what joining it gives. One execution.
// executions: rc11 1, sc 1
#include <assert.h>
#include <pthread.h>

void *returns(void *given) {
    return (char *)given + 1;
}

void leave(long code) {
    pthread_exit((void *)code);
}

void *exits(void *unused) {
    leave(7);
    assert(0);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    void *first, *second;
    pthread_create(&a, NULL, returns, (void *)41L);
    pthread_create(&b, NULL, exits, NULL);
    pthread_join(a, &first);
    pthread_join(b, &second);
    assert((long)first == 42 && (long)second == 7);
    return 0;
}
