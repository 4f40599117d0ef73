// Floating-point numbers that threads share: with a lock, and atomic ones. Executions differ in who is first with each of
// the three, and for the atomic ones in whether the other thread has to try again.
// executions: rc11 32
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

double balance;
_Atomic double total = 0.25;
_Atomic float ratio;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *thread(void *unused) {
    pthread_mutex_lock(&lock);
    balance += 1.5;
    pthread_mutex_unlock(&lock);
    total += 0.5;
    float seen = ratio;
    while (!atomic_compare_exchange_weak(&ratio, &seen, seen * 2)) continue;
    return NULL;
}

int main(void) {
    atomic_init(&ratio, 1.5f);
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(balance == 3.0 && total == 1.25 && ratio == 6.0f);
    return 0;
}
