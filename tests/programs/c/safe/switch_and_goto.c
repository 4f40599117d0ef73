// What is read chooses the way: 0, 1 or 2.
// executions: rc11 3, sc 3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *writer(void *unused) {
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    return NULL;
}

void *reader(void *unused) {
    int steps = 0, way;
    int seen = atomic_load(&x);
again:
    switch (seen) {
    case 0:
        way = 10;
        break;
    case 1:
        way = 20;
        goto out;
    case 2:
        steps++;
        seen = 1;
        goto again;
    default:
        way = 0;
    }
out:
    assert(way == (steps == 0 && seen == 0 ? 10 : 20));
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
