// Puts the chains of each location in an order that keeps the forced edges, or finds a cycle of them.
#pragma once

#include <cstdint>
#include <vector>

#include "coherence/edge_graph.hpp"
#include "execution.hpp"

namespace porf::coherence {

// Chains are numbered as they were scanned; `tops` are their top writes. Edges join chains of one location.
class ChainOrder {
 public:
  ChainOrder(const Execution& x, const std::vector<std::int32_t>& tops, std::vector<EdgeGraph::Edge> edges);

  bool acyclic() const { return graph_.acyclic(); }
  // The chains, location after location, each location's in an order that keeps all edges.
  std::vector<std::int32_t> order() const { return scanned(graph_.order()); }
  std::vector<std::int32_t> short_cycle() const { return scanned(graph_.short_cycle()); }

 private:
  std::vector<EdgeGraph::Edge> keep_tangled(std::vector<EdgeGraph::Edge> edges) const;
  std::vector<std::int32_t> scanned(std::vector<std::int32_t> nodes) const;

  std::vector<std::int32_t> number_;  // per chain: its node, by location and then by scan
  std::vector<std::int32_t> chain_;   // per node
  EdgeGraph graph_;
};

}  // namespace porf::coherence
