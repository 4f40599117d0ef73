// Threads are given pointers to structs of main's, and write to their own. One execution.
// executions: rc11 1, sc 1
#include <assert.h>
#include <pthread.h>

struct job {
    int from, to;
    long sum;
};

void *thread(void *given) {
    struct job *job = given;
    for (int i = job->from; i < job->to; i++)
        job->sum += i;
    return NULL;
}

int main(void) {
    struct job jobs[2] = {{0, 3, 0}, {3, 6, 0}};
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, thread, &jobs[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(jobs[0].sum + jobs[1].sum == 15);
    return 0;
}
