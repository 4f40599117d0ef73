// The partial store order: what happens-before and conflicts say of the writes of one location, closed within
// the location.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "budget.hpp"
#include "causal/edges.hpp"
#include "graph/global_clocks.hpp"
#include "graph/write_lists.hpp"
#include "memory.hpp"

namespace porf::causal {

class StoreOrder {
 public:
  // `clocks` are those of happens-before; `conflicts` the cf edges (others are passed over); `order` a
  // topological order of both together.
  StoreOrder(const Execution& x, const WriteLists& lists, const Ints& index, const GlobalClocks& clocks,
             const Large<Edge>& conflicts, const Ints& order, Budget& budget);

  static std::uint64_t bytes_for(const Execution& x) { return GlobalClocks::bytes_for(x); }

  // Per list of the write's location, the place of its first write after this one; the list's size if none
  // is.
  std::span<const std::int32_t> after(std::int32_t write) const {
    return std::span(after_).subspan(start_[write], start_[write + 1] - start_[write]);
  }

 private:
  void precede(std::int32_t before, std::int32_t write);

  Ints list_, place_;         // per write: its list, numbered within the location, and where it is in it
  Large<std::size_t> start_;  // per event: into after_
  Ints after_;
};

// How many pairs of writes of one location there are, and how many of them a store order leaves unordered.
struct Pairs {
  std::uint64_t all = 0;
  std::uint64_t ordered = 0;
};

Pairs count_pairs(const Execution& x, const WriteLists& lists, const StoreOrder& order);
// Of the order that the clocks tell.
Pairs count_pairs(const Execution& x, const WriteLists& lists, const Ints& index, const GlobalClocks& clocks);

}  // namespace porf::causal
