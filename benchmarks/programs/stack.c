// stack(N): one thread pushes N times to an array, the other pops N times, both under a mutex. C(2N, N) executions: an
// empty stack is found so. Abdulla et al. 2018, Table 3 (Stack_true, N = 12).
// Parameters: N operations a thread.
#include "common.h"

#ifndef N
#define N 4
#endif

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int top, items[N];

void push(int item) {
    assert(top < N);
    items[top++] = item;
}

int pop(void) {
    assert(top > 0);
    return items[--top];
}

void *producer(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&m);
        push(i);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

void *consumer(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&m);
        if (top > 0)
            assert(pop() < N);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, producer, NULL);
    pthread_create(&t[1], NULL, consumer, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
