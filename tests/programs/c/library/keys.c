// What a thread leaves is freed by the key's destructor.
// executions: rc11 1
// arguments: --leaks
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_key_t key;
static void *uses(void *number) {
    assert(!pthread_getspecific(key));
    int *own = malloc(sizeof *own);
    *own = *(int *)number;
    pthread_setspecific(key, own);
    assert(*(int *)pthread_getspecific(key) == *(int *)number);
    return 0;
}
int main(void) {
    pthread_t a, b;
    int one = 1, two = 2;
    pthread_key_create(&key, free);
    pthread_create(&a, 0, uses, &one);
    pthread_create(&b, 0, uses, &two);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(!pthread_getspecific(key));
}
