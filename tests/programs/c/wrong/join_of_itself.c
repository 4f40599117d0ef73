// A thread waits for its own end.
#include <pthread.h>

int main(void) {
    pthread_join(pthread_self(), NULL); // wrong
    return 0;
}
