// What is joined was never a thread.
#include <pthread.h>

pthread_t never = 77;

int main(void) {
    pthread_join(never, NULL); // wrong
    return 0;
}
