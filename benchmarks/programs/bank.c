// bank(N): N threads transfer money between ACCOUNTS accounts, each with its own mutex; a transfer takes the mutexes of
// two accounts, the one with the smaller number first.
// Parameters: N threads, M transfers of each, ACCOUNTS.
#include "common.h"

#ifndef N
#define N 3
#endif
#ifndef M
#define M 2
#endif
#ifndef ACCOUNTS
#define ACCOUNTS 3
#endif

pthread_mutex_t lock[ACCOUNTS];
int balance[ACCOUNTS];

void transfer(int from, int to) {
    int first = from < to ? from : to, second = from < to ? to : from;
    pthread_mutex_lock(&lock[first]);
    pthread_mutex_lock(&lock[second]);
    balance[from]--;
    balance[to]++;
    pthread_mutex_unlock(&lock[second]);
    pthread_mutex_unlock(&lock[first]);
}

void *customer(void *number) {
    int t = (int)(long)number;
    for (int k = 0; k < M; k++)
        transfer((t + k) % ACCOUNTS, (t + k + 1) % ACCOUNTS);
    return NULL;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, customer, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    int sum = 0;
    for (int i = 0; i < ACCOUNTS; i++)
        sum += balance[i];
    assert(sum == 0);
    return 0;
}
