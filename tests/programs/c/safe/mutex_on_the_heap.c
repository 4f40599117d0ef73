// A mutex inside of an allocated struct, made by pthread_mutex_init. Two threads take it in either order.
// executions: rc11 2, sc 2
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t m;
    long balance;
};

void *deposit(void *given) {
    struct account *account = given;
    pthread_mutex_lock(&account->m);
    account->balance += 10;
    pthread_mutex_unlock(&account->m);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    struct account *account = malloc(sizeof *account);
    pthread_mutex_init(&account->m, NULL);
    account->balance = 0;
    pthread_create(&t[0], NULL, deposit, account);
    pthread_create(&t[1], NULL, deposit, account);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(account->balance == 20);
    pthread_mutex_destroy(&account->m);
    free(account);
    return 0;
}
