// A thread-local variable is gone when its thread has ended.
#include <pthread.h>

static _Thread_local int mine = 5;
static int *given;

void *work(void *unused) { // it ends here
    given = &mine;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return *given; // wrong
}
