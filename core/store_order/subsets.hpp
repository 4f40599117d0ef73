// Is there a total order of the writes under which every graph is acyclic? Dynamic programming over sets of
// writes (Chini and Saivasan 2020, Theorem 1).
#pragma once

#include <cstdint>
#include <vector>

#include "budget.hpp"
#include "execution.hpp"
#include "memory.hpp"
#include "store_order/graphs.hpp"

namespace porf::store_order {

struct Result {
  Answer answer = Answer::kUndecided;
  Limit limit = Limit::kNone;            // what ended it, if it is undecided
  Ints order;                            // when consistent: the rows of all writes
  std::uint64_t subsets = 0;             // that can be ordered as the first writes; 0 if none had to be looked at
  std::uint64_t pairs = 0, ordered = 0;  // pairs of writes of one location; those ordered before the search
};

// With `forced`, what the reads force on the order is found first, and prunes the sets; without, all sets of
// at most kTableWrites writes are entries of a table of bits.
Result decide(const Execution& x, const std::vector<Graph>& graphs, bool forced, Budget& budget);

inline constexpr std::int32_t kTableWrites = 28;

}  // namespace porf::store_order
