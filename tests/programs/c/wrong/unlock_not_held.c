// A mutex is unlocked that nobody holds.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_unlock(&m); // wrong
    return 0;
}
