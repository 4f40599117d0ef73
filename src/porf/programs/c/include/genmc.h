// The names of GenMC's <genmc.h>. Hints for its exploration do nothing here, and an annotated operation is
// just the operation. Hazard pointers protect memory by never freeing it: what is retired stays allocated, so
// a later access is not reported.
#ifndef PORF_GENMC_H
#define PORF_GENMC_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "porf.h"

#ifdef __cplusplus
extern "C" {
#define PORF_AUTO auto
#else
#define PORF_AUTO __auto_type
#endif

void __VERIFIER_assume(int condition);
int __VERIFIER_nondet_int(void);
void __VERIFIER_recovery_routine(void);

// Threads.

typedef long __VERIFIER_thread_t;

static inline __VERIFIER_thread_t __VERIFIER_spawn(void* (*start)(void*), void* argument) {
  return (__VERIFIER_thread_t)__porf_spawn(start, argument);
}

static inline __VERIFIER_thread_t __VERIFIER_spawn_symmetric(void* (*start)(void*), void* argument,
                                                             __VERIFIER_thread_t like) {
  (void)like;
  return (__VERIFIER_thread_t)__porf_spawn(start, argument);
}

static inline void* __VERIFIER_join(__VERIFIER_thread_t thread) { return __porf_join((unsigned long)thread); }

static inline void __VERIFIER_join_symmetric(__VERIFIER_thread_t thread) {
  __porf_join((unsigned long)thread);
}

#ifdef __cplusplus
}
#endif

// Loops that wait. A thread whose iteration does not end the loop waits there.

#define __VERIFIER_loop_begin() ((void)0)
#define __VERIFIER_spin_start() ((void)0)
#define __VERIFIER_spin_end(...) __porf_spin_end(__VA_ARGS__ + 0)
#define __VERIFIER_loop_bound(n) ((void)(n))
#define __VERIFIER_optional(x) ((void)0)
#define __VERIFIER_opt_begin() 0
#define __VERIFIER_assume_internal(c) __VERIFIER_assume(c)

// Annotated operations.

#define __VERIFIER_annotate_begin(mask) ((void)0)
#define __VERIFIER_annotate_end(mask) ((void)0)
#define GENMC_ATTR_LOCAL 0x1
#define GENMC_ATTR_FINAL 0x2
#define GENMC_KIND_NONVR 0x10000
#define GENMC_KIND_HELPED 0x20000
#define GENMC_KIND_HELPING 0x40000
#define GENMC_KIND_SPECUL 0x80000
#define GENMC_KIND_CONFIRM 0x100000

#define __VERIFIER_local_write(...) \
  do {                              \
    __VA_ARGS__;                    \
  } while (0)
#define __VERIFIER_final_write(...) __VERIFIER_local_write(__VA_ARGS__)
#define __VERIFIER_helped_CAS(...) __VERIFIER_local_write(__VA_ARGS__)
#define __VERIFIER_helping_CAS(...) __VERIFIER_local_write(__VA_ARGS__)
#define PORF_VALUE(...)                   \
  ({                                      \
    PORF_AUTO porf_value = (__VA_ARGS__); \
    porf_value;                           \
  })
#define __VERIFIER_speculative_read(...) PORF_VALUE(__VA_ARGS__)
#define __VERIFIER_confirming_read(...) PORF_VALUE(__VA_ARGS__)
#define __VERIFIER_confirming_CAS(...) PORF_VALUE(__VA_ARGS__)
#define __VERIFIER_speculative_CAS(...) PORF_VALUE(__VA_ARGS__)
#define __VERIFIER_final_CAS(...) PORF_VALUE(__VA_ARGS__)

// Hazard pointers.

typedef struct {
  void* __nothing;
} __VERIFIER_hp_t;

typedef __VERIFIER_hp_t __VERIFIER_hazptr_t;

#define __VERIFIER_hp_alloc() ((__VERIFIER_hp_t*)malloc(sizeof(__VERIFIER_hp_t)))
#define __VERIFIER_hp_protect(hp, p) ((void)(hp), __atomic_load_n((void**)(p), __ATOMIC_ACQUIRE))
#define __VERIFIER_hp_clear(hp) ((void)(hp))
#define __VERIFIER_hp_free(hp) free(hp)
#define __VERIFIER_hp_retire(p) ((void)(p))

// Persistent memory is ordinary memory: there are no crashes here.

#define __VERIFIER_persistent_storage(d) d
#define __VERIFIER_palloc(n) malloc(n)
#define __VERIFIER_pbarrier() ((void)0)

#endif
