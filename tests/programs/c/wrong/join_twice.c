// A thread is joined twice.
#include <pthread.h>

void *thread(void *unused) {
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    pthread_join(t, NULL); // wrong
    return 0;
}
