// What SRA with updates forces beyond single reads: whole chains come before whole chains, along the global order.
#pragma once

#include <cstdint>
#include <optional>

#include "budget.hpp"
#include "coherence/scan.hpp"
#include "coherence/schedule.hpp"
#include "execution.hpp"
#include "graph/edge_graph.hpp"
#include "graph/global_clocks.hpp"
#include "graph/write_lists.hpp"
#include "memory.hpp"

namespace porf::coherence {

using Edge = EdgeGraph::Edge;

// Rounds of clocks and look-ups until nothing new follows.
class Saturation {
 public:
  Saturation(const Execution& x, const Schedule& schedule, const Chains& chains)
      : x_(x),
        index_(schedule.index),
        chains_(chains),
        last_(chains.top),
        initial_last_(x.locations, kNone),
        lists_(x),
        clocks_(x, schedule.index) {
    for (std::int32_t e : lists_.writes()) {
      if (x.op[e] != kUpdate) continue;
      std::int32_t& last = chains.chain[e] < 0 ? initial_last_[x.loc[e]] : last_[chains.chain[e]];
      if (last == kNone || chains.position[e] > chains.position[last]) last = e;
    }
  }

  // The updates of the initial write come before every other chain.
  void add_initial(Large<Edge>& edges) const {
    for (std::int32_t top : chains_.top)
      if (initial_last_[x_.loc[top]] != kNone) edges.emplace_back(initial_last_[x_.loc[top]], top);
  }

  // Adds what follows from the graph and was not implied; false when the initial write's chain would have to wait.
  bool extend(const EdgeGraph& graph, Large<Edge>& edges) {
    clocks_.compute(graph);
    Toil toil;
    for (std::int32_t e : lists_.writes()) {
      toil.demand(8 * lists_.of(x_.loc[e]).size());
      std::int32_t chain = chains_.chain[e];
      for (WriteLists::List list : lists_.of(x_.loc[e])) {
        std::int32_t t = x_.thread[list[0]];
        std::int32_t limit = t == x_.thread[e] ? index_[e] - 1 : clocks_.seen(e, t);
        std::int32_t before = WriteLists::last_within(list, limit, index_);
        if (before == kNone || chains_.chain[before] == chain) continue;
        if (chain < 0) return false;
        if (chains_.chain[before] < 0) continue;
        std::int32_t last = last_[chains_.chain[before]], top = chains_.top[chain];
        if (clocks_.before(last, top)) continue;
        edges.emplace_back(last, top);
        clocks_.note(last, top);
      }
    }
    return true;
  }

 private:
  const Execution& x_;
  const Ints& index_;
  const Chains& chains_;
  Ints last_;          // per chain: its last write
  Ints initial_last_;  // per location: the last update of its initial write's chain
  WriteLists lists_;
  GlobalClocks clocks_;
};

// Saturates base edges (happens-before and forced ones) under: if a write of chain A precedes a write of chain B of the
// same location, then the last of A precedes the top of B, for atomicity keeps chains together. Each round is
// near-linear: a vector clock over the whole graph, then the last write of each thread before each write. Empty when a
// cycle arises (then no modification order exists) or the budget is spent.
inline std::optional<Large<EdgeGraph::Edge>> saturate(const Execution& x, const Schedule& schedule,
                                                      const Chains& chains, Large<EdgeGraph::Edge> edges,
                                                      Budget& budget) {
  if (!budget.hold(GlobalClocks::bytes_for(x))) return std::nullopt;
  Saturation saturation(x, schedule, chains);
  saturation.add_initial(edges);
  while (true) {
    EdgeGraph graph(x.size(), edges);
    if (!graph.acyclic()) return std::nullopt;
    std::size_t before = edges.size();
    if (!saturation.extend(graph, edges) || !budget.spend(x.size())) return std::nullopt;
    if (edges.size() == before) return edges;
  }
}

}  // namespace porf::coherence
