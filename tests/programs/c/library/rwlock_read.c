// finds: data race
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
#define ENTER pthread_rwlock_rdlock(&l)
#define LEAVE pthread_rwlock_unlock(&l)
#include "counter.h"
int main(void) {
    count_to_two();
}
