// The names of genmc.h are the plain operations.
// executions: rc11 2
#include <assert.h>
#include <genmc.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static _Atomic(int *) shared;
static void *one(void *unused) {
    int old = __VERIFIER_speculative_read(atomic_load_explicit(&x, memory_order_acquire));
    while (!__VERIFIER_confirming_CAS(atomic_compare_exchange_strong_explicit(&x, &old, old + 1, memory_order_acq_rel,
                                                                              memory_order_acquire)))
        ;
    __VERIFIER_optional(while (1););
    return 0;
}
int main(void) {
    __VERIFIER_thread_t a = __VERIFIER_spawn(one, 0);
    __VERIFIER_thread_t b = __VERIFIER_spawn_symmetric(one, 0, a);
    __VERIFIER_join(a);
    __VERIFIER_join_symmetric(b);
    for (__VERIFIER_loop_begin(); __VERIFIER_spin_start(), atomic_load(&x) != 2; __VERIFIER_spin_end(0))
        ;
    __VERIFIER_final_write(atomic_store(&x, 3));
    __VERIFIER_hp_t *hp = __VERIFIER_hp_alloc();
    int *p = malloc(sizeof *p);
    atomic_store(&shared, p);
    assert(__VERIFIER_hp_protect(hp, &shared) == p);
    __VERIFIER_hp_retire(p);
    __VERIFIER_hp_free(hp);
}
