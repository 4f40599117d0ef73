// Puts the chains of each location in an order that keeps the forced edges, or finds a cycle of them.
#pragma once

#include <cstdint>
#include <utility>

#include "execution.hpp"
#include "graph/edge_graph.hpp"
#include "memory.hpp"

namespace porf::coherence {

// A location's part of the graph stays in the cache.
inline Ints number_by_location(const Execution& x, const Ints& tops) {
  Ints next(static_cast<std::size_t>(x.locations) + 1, 0), number(tops.size());
  for (std::int32_t top : tops) ++next[x.loc[top] + 1];
  for (std::int32_t loc = 0; loc < x.locations; ++loc) next[loc + 1] += next[loc];
  for (std::size_t chain = 0; chain < tops.size(); ++chain) number[chain] = next[x.loc[tops[chain]]]++;
  return number;
}

inline Ints inverse(const Ints& number) {
  Ints chain(number.size());
  for (std::size_t c = 0; c < number.size(); ++c) chain[number[c]] = static_cast<std::int32_t>(c);
  return chain;
}

// Chains are numbered as they were scanned; `tops` are their top writes. Edges join chains of one location.
class ChainOrder {
 public:
  ChainOrder(const Execution& x, const Ints& tops, Large<EdgeGraph::Edge> edges)
      : number_(number_by_location(x, tops)),
        chain_(inverse(number_)),
        graph_(static_cast<std::int32_t>(tops.size()), keep_tangled(std::move(edges))) {}

  bool acyclic() const { return graph_.acyclic(); }
  // The chains, location after location, each location's in an order that keeps all edges.
  Ints order() const { return scanned(graph_.order()); }
  Ints short_cycle() const { return scanned(graph_.short_cycle()); }

 private:
  // Nearly all edges lead forward in the order of the scan. A cycle crosses no cut that no backward edge
  // spans: between such cuts that order stands, since EdgeGraph places nodes without predecessors by number;
  // only edges within a span are kept.
  Large<EdgeGraph::Edge> keep_tangled(Large<EdgeGraph::Edge> edges) const {
    Ints span(number_.size() + 1, 0);
    for (auto& [from, to] : edges) {
      from = number_[from];
      to = number_[to];
      if (from > to) {
        ++span[to];
        --span[from];
      }
    }
    std::int32_t depth = 0, part = 0;
    for (std::int32_t& change : span) {
      depth += change;
      change = part;
      if (depth == 0) ++part;
    }
    std::erase_if(edges, [&](const EdgeGraph::Edge& edge) { return span[edge.first] != span[edge.second]; });
    return edges;
  }

  Ints scanned(Ints nodes) const {
    for (std::int32_t& node : nodes) node = chain_[node];
    return nodes;
  }

  Ints number_;  // per chain: its node, by location and then by scan
  Ints chain_;   // per node
  EdgeGraph graph_;
};

}  // namespace porf::coherence
