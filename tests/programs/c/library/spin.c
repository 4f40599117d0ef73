// executions: rc11 2
#include <pthread.h>
static pthread_spinlock_t s;
#define ENTER pthread_spin_lock(&s)
#define LEAVE pthread_spin_unlock(&s)
#include "counter.h"
int main(void) {
    pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
    count_to_two();
}
