// A byte of an atomic word is written at the same time as the word is read.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

union {
    _Atomic uint32_t word;
    unsigned char bytes[4];
} x;

void *first(void *unused) {
    x.bytes[3] = 1; // wrong
    return NULL;
}

void *second(void *unused) {
    atomic_load(&x.word); // wrong
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
