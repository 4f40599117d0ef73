// The causal criteria of Zennou et al. 2019 on executions of plain reads and writes: CCv, CM, CCM and weak CCM.
#pragma once

#include <cstdint>

#include "budget.hpp"
#include "causal/edges.hpp"
#include "execution.hpp"
#include "memory.hpp"

namespace porf::causal {

enum class Criterion : std::uint8_t { kCcv = 0, kCm = 1, kCcm = 2, kWccm = 3 };

// Where the cycle is.
enum class Breach : std::uint8_t {
  kNone = 0,
  kCausal = 1,  // in the causal order itself
  kView = 2,    // in a thread's view
  kStore = 3,   // in the causal order with the partial store order and what reads say of it
};

struct Result {
  Answer answer = Answer::kConsistent;
  Limit limit = Limit::kNone;  // what ended it, if it is undecided
  Breach breach = Breach::kNone;
  Keeps keeps = Keeps::kPo;  // which program order the cycle takes
  std::int32_t thread = -1;  // of the view
  Ints order;                // when consistent: all rows, in an order that respects all that the criterion speaks of
  Large<Edge> edges;         // the edges that matter, each after those of its path; none if too many
  Ints path_start;           // the path of edge i: path[path_start[i] … path_start[i + 1]), edge numbers
  Ints path;
  Ints cycle;  // edge numbers, closing; a single edge to an initial write stands for itself and po back
};

Result check(const Execution& x, Criterion criterion, Budget& budget);

// The partial store order of CCM or weak CCM: for each write and each thread the first write that comes after
// it. Empty unless the execution is consistent.
struct PartialOrder {
  Answer answer = Answer::kConsistent;
  Ints before, after;
  Pairs pairs;
};

PartialOrder partial_store_order(const Execution& x, Criterion criterion, Budget& budget);

// How many pairs of writes causal convergence orders: (co | cf[co])+.
struct Converged {
  Answer answer = Answer::kConsistent;
  Pairs pairs;
};

Converged count_converged(const Execution& x, Budget& budget);

}  // namespace porf::causal
