// filesystem(N): N threads allocate blocks of a small file system, with a mutex for each inode and for each block.
// Up to 13 threads do not collide; from 14 to 26 there are 2^(N - 13) executions. Abdulla et al. 2018, Table 2.
// Parameters: N threads.
#include "common.h"

#ifndef N
#define N 16
#endif
#define BLOCKS 26
#define INODES 32
#define TRIES 10

pthread_mutex_t inode_lock[INODES], block_lock[BLOCKS];
int inode[INODES], busy[BLOCKS];

void *allocate(void *number) {
    int i = (int)(long)number % INODES;
    pthread_mutex_lock(&inode_lock[i]);
    if (inode[i] == 0) {
        int b = 2 * i % BLOCKS;
        for (int k = 0; k < TRIES; k++) {
            pthread_mutex_lock(&block_lock[b]);
            if (busy[b] == 0) {
                busy[b] = 1;
                inode[i] = b + 1;
                pthread_mutex_unlock(&block_lock[b]);
                break;
            }
            pthread_mutex_unlock(&block_lock[b]);
            b = (b + 1) % BLOCKS;
        }
    }
    pthread_mutex_unlock(&inode_lock[i]);
    return NULL;
}

int main(void) {
    pthread_t t[N];
    for (int i = 0; i < INODES; i++)
        pthread_mutex_init(&inode_lock[i], NULL);
    for (int i = 0; i < BLOCKS; i++)
        pthread_mutex_init(&block_lock[i], NULL);
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, allocate, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
