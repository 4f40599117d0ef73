// locked-queue(N): N producers and N consumers of a linked queue under one mutex, an item each.
// Parameters: N producers and consumers.
#include "common.h"

#ifndef N
#define N 2
#endif

typedef struct node {
    int value;
    struct node *next;
} node;

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
node *head, *tail;

void *producer(void *value) {
    node *n = malloc(sizeof *n);
    n->value = (int)(long)value;
    n->next = NULL;
    pthread_mutex_lock(&lock);
    if (tail)
        tail->next = n;
    else
        head = n;
    tail = n;
    pthread_mutex_unlock(&lock);
    return NULL;
}

void *consumer(void *unused) {
    pthread_mutex_lock(&lock);
    node *n = head;
    if (n) {
        head = n->next;
        if (!head)
            tail = NULL;
    }
    pthread_mutex_unlock(&lock);
    if (n) {
        assert(n->value > 0);
        free(n);
    }
    return NULL;
}

int main(void) {
    pthread_t t[2 * N];
    for (long i = 0; i < N; i++) {
        pthread_create(&t[2 * i], NULL, producer, (void *)(i + 1));
        pthread_create(&t[2 * i + 1], NULL, consumer, NULL);
    }
    for (int i = 0; i < 2 * N; i++)
        pthread_join(t[i], NULL);
    while (head) {
        node *n = head;
        head = n->next;
        free(n);
    }
    return 0;
}
