// A graph of forced edges: is it acyclic, in which order do its nodes stand, or which short cycle is there?
// cycle is there?
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "memory.hpp"

namespace porf {

class EdgeGraph {
 public:
  using Edge = std::pair<std::int32_t, std::int32_t>;

  EdgeGraph(std::int32_t nodes, Large<Edge> edges);

  // All nodes in an order that respects the edges; shorter than the number of nodes iff there is a cycle.
  const Ints& order() const { return order_; }
  bool acyclic() const { return order_.size() == static_cast<std::size_t>(nodes_); }

  template <typename Visit>
  void each_target(std::int32_t node, Visit&& visit) const {
    for (std::uint32_t i = start_[node]; i < start_[node + 1]; ++i) visit(target_[i]);
  }

  // A shortest cycle among as many of the unplaced nodes as a fixed effort allows: its nodes, in edge order.
  Ints short_cycle() const;

 private:
  std::int32_t node_on_cycle(const Large<std::uint8_t>& stuck) const;
  Ints cycle_through(std::int32_t root, const Large<std::uint8_t>& stuck, std::size_t shorter_than) const;

  std::int32_t nodes_;
  Large<std::uint32_t> start_;
  Ints target_;
  Ints order_;
};

}  // namespace porf
