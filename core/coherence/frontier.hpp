// The frontier search for SRA with updates (Theorem 1.3 of seed 000): which sets of events can be executed?
#pragma once

#include <cstdint>
#include <vector>

#include "budget.hpp"
#include "coherence/check.hpp"
#include "coherence/schedule.hpp"

namespace porf::coherence {

// from must precede to in mo: `a` leaves from's value and happens before `e`, which reads in to's chain; `to`
// is its top.
struct ForcedEdge {
  std::int32_t from, to, a, e;
};

// `guide` is an order of all rows that respects happens-before and the forced edges: the first schedule that
// is tried.
Result search_frontiers(const Execution& x, const Schedule& schedule, const std::vector<ForcedEdge>& forced,
                        const std::vector<std::int32_t>& guide, Budget& budget);

}  // namespace porf::coherence
