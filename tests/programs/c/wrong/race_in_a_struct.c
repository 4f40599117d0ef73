// A copy of a struct races with a write of one of its fields.
#include <pthread.h>

struct point {
    int x, y;
};

struct point shared;

void *first(void *unused) {
    shared.y = 1; // wrong
    return NULL;
}

void *second(void *unused) {
    struct point mine = shared; // wrong
    return mine.y ? unused : NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
