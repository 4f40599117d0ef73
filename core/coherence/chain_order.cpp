// Numbers the chains by location, so that a location's part of the graph stays in the cache, and drops what
// cannot matter.
#include "coherence/chain_order.hpp"

#include <utility>

namespace porf::coherence {
namespace {

Ints number_by_location(const Execution& x, const Ints& tops) {
  Ints next(static_cast<std::size_t>(x.locations) + 1, 0), number(tops.size());
  for (std::int32_t top : tops) ++next[x.loc[top] + 1];
  for (std::int32_t loc = 0; loc < x.locations; ++loc) next[loc + 1] += next[loc];
  for (std::size_t chain = 0; chain < tops.size(); ++chain) number[chain] = next[x.loc[tops[chain]]]++;
  return number;
}

Ints inverse(const Ints& number) {
  Ints chain(number.size());
  for (std::size_t c = 0; c < number.size(); ++c) chain[number[c]] = static_cast<std::int32_t>(c);
  return chain;
}

}  // namespace

ChainOrder::ChainOrder(const Execution& x, const Ints& tops, Large<EdgeGraph::Edge> edges)
    : number_(number_by_location(x, tops)),
      chain_(inverse(number_)),
      graph_(static_cast<std::int32_t>(tops.size()), keep_tangled(std::move(edges))) {}

// Nearly all edges lead forward in the order of the scan. A cycle crosses no cut that no backward edge spans:
// between such cuts that order stands, since EdgeGraph places nodes without predecessors by number; only
// edges within a span are kept.
Large<EdgeGraph::Edge> ChainOrder::keep_tangled(Large<EdgeGraph::Edge> edges) const {
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

Ints ChainOrder::scanned(Ints nodes) const {
  for (std::int32_t& node : nodes) node = chain_[node];
  return nodes;
}

}  // namespace porf::coherence
