// executions: rc11 2
#include <semaphore.h>
static sem_t s;
#define ENTER sem_wait(&s)
#define LEAVE sem_post(&s)
#include "counter.h"
int main(void) {
    sem_init(&s, 0, 1);
    count_to_two();
    int left;
    sem_getvalue(&s, &left);
    assert(left == 1);
    sem_destroy(&s);
}
