// finds: data race
#include <semaphore.h>
static sem_t s;
#define ENTER sem_wait(&s)
#define LEAVE sem_post(&s)
#include "counter.h"
int main(void) {
    sem_init(&s, 0, 2);
    count_to_two();
}
