// The forced edges between chains: is the graph acyclic, in which order do its nodes stand, or which short
// cycle is there?
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace porf::coherence {

class EdgeGraph {
 public:
  using Edge = std::pair<std::int32_t, std::int32_t>;

  EdgeGraph(std::int32_t nodes, std::vector<Edge> edges);

  // All nodes in an order that respects the edges; shorter than the number of nodes iff there is a cycle.
  const std::vector<std::int32_t>& order() const { return order_; }
  bool acyclic() const { return order_.size() == static_cast<std::size_t>(nodes_); }

  template <typename Visit>
  void each_target(std::int32_t node, Visit&& visit) const {
    for (std::uint32_t i = start_[node]; i < start_[node + 1]; ++i) visit(target_[i]);
  }

  // A shortest cycle among as many of the unplaced nodes as a fixed effort allows: its nodes, in edge order.
  std::vector<std::int32_t> short_cycle() const;

 private:
  std::int32_t node_on_cycle(const std::vector<std::uint8_t>& stuck) const;
  std::vector<std::int32_t> cycle_through(std::int32_t root, const std::vector<std::uint8_t>& stuck,
                                          std::size_t shorter_than) const;

  std::int32_t nodes_;
  std::vector<std::uint32_t> start_;
  std::vector<std::int32_t> target_;
  std::vector<std::int32_t> order_;
};

}  // namespace porf::coherence
