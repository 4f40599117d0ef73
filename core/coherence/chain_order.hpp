// Puts the chains of each location in an order that keeps the forced edges, or finds a cycle of them.
#pragma once

#include <cstdint>
#include <vector>

#include "execution.hpp"
#include "graph/edge_graph.hpp"
#include "memory.hpp"

namespace porf::coherence {

// Chains are numbered as they were scanned; `tops` are their top writes. Edges join chains of one location.
class ChainOrder {
 public:
  ChainOrder(const Execution& x, const Ints& tops, Large<EdgeGraph::Edge> edges);

  bool acyclic() const { return graph_.acyclic(); }
  // The chains, location after location, each location's in an order that keeps all edges.
  Ints order() const { return scanned(graph_.order()); }
  Ints short_cycle() const { return scanned(graph_.short_cycle()); }

 private:
  Large<EdgeGraph::Edge> keep_tangled(Large<EdgeGraph::Edge> edges) const;
  Ints scanned(Ints nodes) const;

  Ints number_;  // per chain: its node, by location and then by scan
  Ints chain_;   // per node
  EdgeGraph graph_;
};

}  // namespace porf::coherence
