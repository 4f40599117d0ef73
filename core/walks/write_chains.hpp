// The writes of each location as chains that no other write may enter, what is forced on the order of the chains, and
// the steps by the modification order that follow from an order of them, be it partial or total.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "budget.hpp"
#include "walks/product.hpp"

namespace porf::walks {

// Chains are numbered; those that the initial writes head come after all others, by location.
class WriteChains {
 public:
  explicit WriteChains(const Nodes& nodes);

  // Whether two writes want to come right after the same one, or after each other.
  bool broken() const { return broken_; }
  std::int32_t size() const { return static_cast<std::int32_t>(top_.size()); }
  std::int32_t chain_of(std::int32_t w, std::int32_t loc) const { return w < 0 ? size() + loc : chain_[w]; }
  bool initial(std::int32_t chain) const { return chain >= size(); }
  std::int32_t top(std::int32_t chain) const { return top_[chain]; }
  std::int32_t location(std::int32_t chain) const { return nodes_.loc[top_[chain]]; }
  std::int32_t position(std::int32_t w) const { return w < 0 ? 0 : position_[w]; }

  // The value that access a leaves does not come after that of access b. False if that cannot be.
  bool keep(std::int32_t a, std::int32_t b);
  // One chain comes before another. False if that cannot be; `fresh`: whether it was not known.
  bool force(std::int32_t before, std::int32_t after, bool& fresh);

  // An order of the chains that keeps what is forced and these pairs besides, lowest keys first; false if there is
  // none, and then a cycle of chains.
  bool sort(const Ints& keys, std::span<const EdgeGraph::Edge> besides, Ints& order, Ints& cycle) const;
  // Whether what is forced has no cycle.
  bool possible() const;

  const Large<EdgeGraph::Edge>& forced() const { return forced_; }
  bool knows(std::int32_t before, std::int32_t after) const { return known_.contains(key(before, after)); }

  // The dynamic lists of steps that these pairs of chains generate, given in an order that keeps them.
  void steps(const Ints& order, std::span<const EdgeGraph::Edge> pairs, bool across, StepLists& lists) const;
  // The pairs of neighbours in an order.
  Large<EdgeGraph::Edge> neighbours(const Ints& order) const;
  // Each location's writes in an order of the chains.
  void list(const Ints& order, Ints& writes, Large<std::int64_t>& start) const;

 private:
  static std::uint64_t key(std::int32_t a, std::int32_t b) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32 | static_cast<std::uint32_t>(b);
  }
  template <typename Visit>
  void each_write(std::int32_t chain, Visit&& visit) const;
  void across_threads(const Ints& order, const std::vector<Ints>& after, StepLists& lists) const;

  const Nodes& nodes_;
  Ints chain_, position_, next_;  // per write
  Ints initial_next_;             // per location
  Ints top_, last_;               // per chain
  Large<EdgeGraph::Edge> forced_;
  std::unordered_set<std::uint64_t> known_;
  bool broken_ = false;
};

}  // namespace porf::walks
