// A thread reads a variable of a function that has returned.
#include <pthread.h>
#include <stdatomic.h>

atomic_int *leak(void) {
    atomic_int local = 1;
    atomic_int *volatile kept = &local;
    return kept;
}

int main(void) {
    atomic_int *p = leak();
    return atomic_load(p); // wrong
}
