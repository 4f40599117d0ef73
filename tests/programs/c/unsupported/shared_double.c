// Floating-point numbers that threads share.
// refused: double
#include <pthread.h>

double balance;

void *thread(void *unused) {
    balance += 1.5; // here
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
