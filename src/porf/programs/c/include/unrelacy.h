// Relacy's names, as far as CDSChecker's benchmarks use them.
#ifndef PORF_UNRELACY_H
#define PORF_UNRELACY_H

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define $
#define ASSERT(condition) assert(condition)
#define RL_ASSERT(condition) assert(condition)
#define RL_NEW new
#define RL_DELETE(object) delete object

#define mo_relaxed memory_order_relaxed
#define mo_acquire memory_order_acquire
#define mo_release memory_order_release
#define mo_acq_rel memory_order_acq_rel
#define mo_seq_cst memory_order_seq_cst
#define mo_seqcst memory_order_seq_cst

#ifdef __cplusplus
namespace rl {

template <class T>
struct var {
  T value;
  var() : value() {}
  var(T v) : value(v) {}
  void operator=(T v) { value = v; }
  void operator+=(T v) { value += v; }
  T operator()() const { return value; }
  operator T() const { return value; }
};

struct backoff {
  void yield() {}
};
typedef backoff backoff_t;
typedef backoff linear_backoff;
typedef backoff exp_backoff;

}  // namespace rl
#endif

#endif
