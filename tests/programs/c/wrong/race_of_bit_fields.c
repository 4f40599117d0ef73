// Neighbouring bit-fields are one memory location.
#include <pthread.h>

struct {
    unsigned x : 3, y : 5;
} s;

void *first(void *unused) {
    s.x = 1; // wrong
    return NULL;
}

void *second(void *unused) {
    return (void *)(long)s.y; // wrong
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
