// The kernels of Tunç et al. 2023: reads-from consistency for Relaxed, RC20, RA, WRA and SRA, each with raw
// evidence.
#pragma once

#include <cstdint>
#include <vector>

#include "budget.hpp"
#include "coherence/scan.hpp"
#include "coherence/schedule.hpp"
#include "execution.hpp"
#include "memory.hpp"

namespace porf::coherence {

// A forced edge with its ground: the value that access `a` leaves must precede what event `e` targets, for a
// happens before e. In a strong cycle an edge without ground (a = kNone) is a step of happens-before from
// `from` to `to`.
struct GroundedEdge {
  std::int32_t from, to, a, e;
};

struct Result {
  Answer answer = Answer::kConsistent;
  Limit limit = Limit::kNone;  // what ended it, if it is undecided
  Breach breach = Breach::kFine;
  std::int32_t access = kNone;  // with kInitial, kBackInChain, kOverwritten: the access that happens before…
  std::int32_t event = kNone;   // …this event
  Ints po_rf;                   // with kPoRf: as Schedule::cycle
  std::vector<GroundedEdge> cycle;  // with kCycle and kStrongCycle
  Ints mo;                          // when consistent: each location's writes in modification order,
  Large<std::int64_t> mo_start;     // location x's from mo_start[x] to mo_start[x + 1]
  bool by_search = false;           // SRA with updates: the frontier search decided
  std::uint64_t states = 0;         // …after so many frontiers
};

Result check_coherence(const Execution& x, Sync sync, Budget& budget);  // Theorems 1.1 and 1.6
Result check_wra(const Execution& x, Budget& budget);                   // Theorem 1.5
Result check_sra(const Execution& x, Budget& budget);                   // Theorems 1.3 and 1.4

// A happens-before path of few steps: rows from `from` to `to`; step i is po (0) or rf (1). Empty when there
// is none.
struct Path {
  Ints rows;
  Large<std::uint8_t> steps;
};
Path happens_before_path(const Execution& x, Sync sync, std::int32_t from, std::int32_t to);

// The verdict on an execution that has no schedule.
Result broken_by(Schedule&& schedule);

// The modification order that executes writes in the given order of rows.
void order_of_writes(const Execution& x, const Ints& rows, Result& result);

}  // namespace porf::coherence
