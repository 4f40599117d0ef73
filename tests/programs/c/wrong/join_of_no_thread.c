// What is joined was never a thread.
#include <pthread.h>

pthread_t never;

int main(void) {
    pthread_join(never, NULL); // wrong
    return 0;
}
