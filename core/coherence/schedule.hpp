// An order of the events that respects po ∪ rf, which every kernel of this family streams along, or the cycle
// that forbids it.
#pragma once

#include <cstdint>

#include "budget.hpp"
#include "execution.hpp"
#include "memory.hpp"

namespace porf::coherence {

struct Schedule {
  Ints index;  // per row: its 1-based place in its thread
  Ints order;  // the rows in a po ∪ rf order; empty when the row order itself is one
  // Where po ∪ rf is cyclic: pairs (writer, reader); each reader stands at or po-before the next pair's writer.
  Ints cycle;

  std::int32_t at(std::int32_t step) const { return order.empty() ? step : order[step]; }
};

Schedule make_schedule(const Execution& x, Budget& budget);

}  // namespace porf::coherence
