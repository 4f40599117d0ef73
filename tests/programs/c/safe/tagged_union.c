// A union that a tag says how to read, handed over by release and acquire: seen or not.
// executions: rc11 2, sc 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum kind { NONE, NUMBER, POINTER };

struct message {
    enum kind kind;
    union {
        long number;
        int *pointer;
    } value;
};

int target = 5;
struct message box;
_Atomic(struct message *) sent;

void *sender(void *unused) {
    box.kind = POINTER;
    box.value.pointer = &target;
    atomic_store_explicit(&sent, &box, memory_order_release);
    return NULL;
}

void *receiver(void *unused) {
    struct message *got = atomic_load_explicit(&sent, memory_order_acquire);
    if (got == NULL)
        return NULL;
    switch (got->kind) {
    case NUMBER:
        assert(got->value.number == 1);
        break;
    case POINTER:
        assert(*got->value.pointer == 5);
        break;
    default:
        assert(0);
    }
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, sender, NULL);
    pthread_create(&t[1], NULL, receiver, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
