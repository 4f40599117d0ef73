// finds: unlock of a lock that no reader holds
#include <pthread.h>
int main(void) {
    pthread_rwlock_t l;
    pthread_rwlock_init(&l, 0);
    pthread_rwlock_unlock(&l);
}
