// A list that both threads insert into under a mutex, in either order; main walks and frees it.
// executions: rc11 2, sc 2
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int item;
    struct node *next;
};

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct node *list;

void *insert(void *number) {
    int item = (int)(long)number;
    struct node *fresh = malloc(sizeof *fresh);
    fresh->item = item;
    pthread_mutex_lock(&m);
    struct node **place = &list;
    while (*place != NULL && (*place)->item < item)
        place = &(*place)->next;
    fresh->next = *place;
    *place = fresh;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, insert, (void *)2L);
    pthread_create(&t[1], NULL, insert, (void *)1L);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(list->item == 1 && list->next->item == 2 && list->next->next == NULL);
    free(list->next);
    free(list);
    return 0;
}
