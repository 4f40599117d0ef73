// queue(N): one thread puts N items into a ring, the other takes N times, both under a mutex; items come out in order.
// C(2N, N) executions. Abdulla et al. 2018, Table 3 (Queue_ok).
// Parameters: N operations a thread.
#include "common.h"

#ifndef N
#define N 4
#endif

struct queue {
    int items[N];
    int head, tail, amount;
};

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct queue queue;

void enqueue(struct queue *q, int item) {
    assert(q->amount < N);
    q->items[q->tail] = item;
    q->tail = (q->tail + 1) % N;
    q->amount++;
}

int dequeue(struct queue *q) {
    assert(q->amount > 0);
    int item = q->items[q->head];
    q->head = (q->head + 1) % N;
    q->amount--;
    return item;
}

void *producer(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&m);
        enqueue(&queue, 10 + i);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

void *consumer(void *unused) {
    int taken = 0;
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&m);
        if (queue.amount > 0) {
            assert(dequeue(&queue) == 10 + taken);
            taken++;
        }
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
