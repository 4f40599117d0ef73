// A struct is written field by field and copied as a whole, under a mutex: before or after.
// executions: rc11 2, sc 2
#include <assert.h>
#include <pthread.h>

struct point {
    int x, y;
    char name[4];
};

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct point shared;

struct point snapshot(void) {
    pthread_mutex_lock(&m);
    struct point copy = shared;
    pthread_mutex_unlock(&m);
    return copy;
}

void *writer(void *unused) {
    pthread_mutex_lock(&m);
    shared = (struct point){3, 4, "ab"};
    pthread_mutex_unlock(&m);
    return NULL;
}

void *reader(void *unused) {
    struct point seen = snapshot();
    assert((seen.x == 0 && seen.y == 0) || (seen.x == 3 && seen.y == 4 && seen.name[1] == 'b'));
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
