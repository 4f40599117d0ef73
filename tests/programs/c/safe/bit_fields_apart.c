// Bit-fields with one of no width between them are different memory locations.
// executions: rc11 1
#include <assert.h>
#include <pthread.h>

struct {
    unsigned x : 3;
    unsigned : 0;
    unsigned y : 5;
} s;

void *first(void *unused) {
    s.x = 5;
    return NULL;
}

void *second(void *unused) {
    s.y = 17;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(s.x == 5 && s.y == 17);
    return 0;
}
