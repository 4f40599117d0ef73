// printf and its like do nothing but print on a replay; they are no events.
// executions: rc11 2, sc 2
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

atomic_int x;

void *thread(void *number) {
    int before = atomic_fetch_add(&x, 1);
    printf("%ld saw %d (%s)\n", (long)number, before, before ? "second" : "first");
    fprintf(stderr, "%5.3d %c %p\n", before, 'x', number);
    puts("done");
    fflush(stdout);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, thread, (void *)1L);
    pthread_create(&t[1], NULL, thread, (void *)2L);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
