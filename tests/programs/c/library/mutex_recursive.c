// executions: rc11 2
#include <pthread.h>
static pthread_mutex_t m;
#define ENTER (pthread_mutex_lock(&m), pthread_mutex_lock(&m), pthread_mutex_unlock(&m))
#define LEAVE pthread_mutex_unlock(&m)
#include "counter.h"
int main(void) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &kind);
    count_to_two();
}
