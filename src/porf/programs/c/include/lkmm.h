// The Linux kernel's names, as far as they have a counterpart in C11: READ_ONCE is a relaxed load, smp_mb a
// sequentially consistent fence, and so on. They are explored under a model of C11, not under the kernel's
// own, so dependencies order nothing.
#ifndef PORF_LKMM_H
#define PORF_LKMM_H

#include <pthread.h>
#include <stdint.h>

#define READ_ONCE(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v) __atomic_store_n(&(x), (v), __ATOMIC_RELAXED)
#define smp_load_acquire(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define smp_store_release(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#define smp_store_mb(x, v) \
  do {                     \
    WRITE_ONCE((x), (v));  \
    smp_mb();              \
  } while (0)
#define rcu_dereference(p) smp_load_acquire(&(p))
#define rcu_assign_pointer(p, v) smp_store_release(&(p), (v))

#define barrier() __atomic_signal_fence(__ATOMIC_SEQ_CST)
#define smp_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)
#define smp_mb__before_atomic() smp_mb()
#define smp_mb__after_atomic() smp_mb()
#define smp_mb__after_spinlock() smp_mb()
#define smp_mb__after_unlock_lock() smp_mb()

#define xchg(p, v) __atomic_exchange_n((p), (v), __ATOMIC_SEQ_CST)
#define xchg_relaxed(p, v) __atomic_exchange_n((p), (v), __ATOMIC_RELAXED)
#define xchg_acquire(p, v) __atomic_exchange_n((p), (v), __ATOMIC_ACQUIRE)
#define xchg_release(p, v) __atomic_exchange_n((p), (v), __ATOMIC_RELEASE)

// Its value is what was found, as in the kernel.
#define PORF_CMPXCHG(p, old, value, success, failure)                                \
  ({                                                                                 \
    __typeof__(*(p)) porf_found = (old);                                             \
    __atomic_compare_exchange_n((p), &porf_found, (value), 0, (success), (failure)); \
    porf_found;                                                                      \
  })
#define cmpxchg(p, old, value) PORF_CMPXCHG(p, old, value, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)
#define cmpxchg_relaxed(p, old, value) PORF_CMPXCHG(p, old, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
#define cmpxchg_acquire(p, old, value) PORF_CMPXCHG(p, old, value, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)
#define cmpxchg_release(p, old, value) PORF_CMPXCHG(p, old, value, __ATOMIC_RELEASE, __ATOMIC_RELAXED)

typedef pthread_mutex_t spinlock_t;

#define DEFINE_SPINLOCK(l) spinlock_t l = PTHREAD_MUTEX_INITIALIZER
#define spin_lock_init(l) pthread_mutex_init((l), 0)
#define spin_lock(l) pthread_mutex_lock(l)
#define spin_trylock(l) (!pthread_mutex_trylock(l))
#define spin_unlock(l) pthread_mutex_unlock(l)
#define spin_is_locked(l) (__atomic_load_n((int*)(l), __ATOMIC_RELAXED) != 0)

typedef struct {
  int counter;
} atomic_t;

typedef struct {
  int64_t counter;
} atomic64_t;

#define ATOMIC_INIT(i) {(i)}
#define atomic_read(v) READ_ONCE((v)->counter)
#define atomic_set(v, i) WRITE_ONCE((v)->counter, (i))
#define atomic_read_acquire(v) smp_load_acquire(&(v)->counter)
#define atomic_set_release(v, i) smp_store_release(&(v)->counter, (i))
#define atomic_add(i, v) ((void)__atomic_fetch_add(&(v)->counter, (i), __ATOMIC_RELAXED))
#define atomic_sub(i, v) ((void)__atomic_fetch_sub(&(v)->counter, (i), __ATOMIC_RELAXED))
#define atomic_inc(v) atomic_add(1, v)
#define atomic_dec(v) atomic_sub(1, v)
#define atomic_add_return(i, v) __atomic_add_fetch(&(v)->counter, (i), __ATOMIC_SEQ_CST)
#define atomic_sub_return(i, v) __atomic_sub_fetch(&(v)->counter, (i), __ATOMIC_SEQ_CST)
#define atomic_inc_return(v) atomic_add_return(1, v)
#define atomic_dec_return(v) atomic_sub_return(1, v)
#define atomic_fetch_add(i, v) __atomic_fetch_add(&(v)->counter, (i), __ATOMIC_SEQ_CST)
#define atomic_fetch_sub(i, v) __atomic_fetch_sub(&(v)->counter, (i), __ATOMIC_SEQ_CST)
#define atomic_fetch_inc(v) atomic_fetch_add(1, v)
#define atomic_fetch_dec(v) atomic_fetch_sub(1, v)
#define atomic_xchg(v, i) xchg(&(v)->counter, i)
#define atomic_cmpxchg(v, old, value) cmpxchg(&(v)->counter, old, value)
#define atomic_dec_and_test(v) (atomic_dec_return(v) == 0)
#define atomic_inc_and_test(v) (atomic_inc_return(v) == 0)
#define atomic_sub_and_test(i, v) (atomic_sub_return(i, v) == 0)
#define atomic_add_negative(i, v) (atomic_add_return(i, v) < 0)

#endif
