// What the benchmark programs share: their headers, and memory orders by one switch. Accesses are release and acquire;
// with -DSC all of them are sequentially consistent.
#ifndef COMMON_H
#define COMMON_H

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef SC
#define ACQ memory_order_seq_cst
#define REL memory_order_seq_cst
#define ACQ_REL memory_order_seq_cst
#else
#define ACQ memory_order_acquire
#define REL memory_order_release
#define ACQ_REL memory_order_acq_rel
#endif

#define LOAD(x) atomic_load_explicit(&(x), ACQ)
#define STORE(x, value) atomic_store_explicit(&(x), value, REL)
#define EXCHANGE(x, value) atomic_exchange_explicit(&(x), value, ACQ_REL)
#define ADD(x, value) atomic_fetch_add_explicit(&(x), value, ACQ_REL)
#define CAS(x, expected, value) atomic_compare_exchange_strong_explicit(&(x), expected, value, ACQ_REL, ACQ)

#endif
