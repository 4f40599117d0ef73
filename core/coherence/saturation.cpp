// Rounds of clocks and look-ups until nothing new follows.
#include "coherence/saturation.hpp"

#include <algorithm>
#include <utility>

namespace porf::coherence {
namespace {

using Edge = EdgeGraph::Edge;

class Saturation {
 public:
  Saturation(const Execution& x, const Schedule& schedule, const Chains& chains)
      : x_(x),
        index_(schedule.index),
        chains_(chains),
        last_(chains.top),
        initial_last_(x.locations, kNone),
        group_start_(x.locations + 1, 0) {
    for (std::int32_t e = 0; e < x.size(); ++e) {
      if (!x.writes(e)) continue;
      writes_.push_back(e);
      if (x.op[e] != kUpdate) continue;
      std::int32_t& last = chains.chain[e] < 0 ? initial_last_[x.loc[e]] : last_[chains.chain[e]];
      if (last == kNone || chains.position[e] > chains.position[last]) last = e;
    }
    std::stable_sort(writes_.begin(), writes_.end(), [&](std::int32_t a, std::int32_t b) {
      return std::pair(x.loc[a], x.thread[a]) < std::pair(x.loc[b], x.thread[b]);
    });
    for (std::size_t i = 0; i < writes_.size();) {
      std::size_t j = i;
      while (j < writes_.size() && same_slot(writes_[i], writes_[j])) ++j;
      groups_.emplace_back(i, j);
      ++group_start_[x.loc[writes_[i]] + 1];
      i = j;
    }
    for (std::int32_t loc = 0; loc < x.locations; ++loc) group_start_[loc + 1] += group_start_[loc];
  }

  // The updates of the initial write come before every other chain.
  void add_initial(Large<Edge>& edges) const {
    for (std::int32_t top : chains_.top)
      if (initial_last_[x_.loc[top]] != kNone) edges.emplace_back(initial_last_[x_.loc[top]], top);
  }

  void compute_clocks(const EdgeGraph& graph) {
    auto k = static_cast<std::size_t>(x_.threads);
    clock_.assign(static_cast<std::size_t>(x_.size()) * k, 0);
    for (std::int32_t e : graph.order()) {
      std::int32_t* own = clock_.data() + e * k;
      own[x_.thread[e]] = std::max(own[x_.thread[e]], index_[e]);
      graph.each_target(e, [&](std::int32_t f) {
        std::int32_t* other = clock_.data() + f * k;
        for (std::size_t t = 0; t < k; ++t) other[t] = std::max(other[t], own[t]);
      });
    }
  }

  // Adds what follows and was not implied; false when the initial write's chain would have to wait.
  bool extend(Large<Edge>& edges) const {
    for (std::int32_t e : writes_) {
      std::int32_t chain = chains_.chain[e];
      for (std::size_t g = group_start_[x_.loc[e]]; g < group_start_[x_.loc[e] + 1]; ++g) {
        std::int32_t before = last_before(groups_[g], e);
        if (before == kNone || chains_.chain[before] == chain) continue;
        if (chain < 0) return false;
        if (chains_.chain[before] < 0) continue;
        std::int32_t last = last_[chains_.chain[before]], top = chains_.top[chain];
        if (seen(top, x_.thread[last]) < index_[last]) edges.emplace_back(last, top);
      }
    }
    return true;
  }

 private:
  bool same_slot(std::int32_t a, std::int32_t b) const {
    return x_.loc[a] == x_.loc[b] && x_.thread[a] == x_.thread[b];
  }
  std::int32_t seen(std::int32_t e, std::int32_t t) const {
    return clock_[static_cast<std::size_t>(e) * x_.threads + t];
  }

  std::int32_t last_before(std::pair<std::size_t, std::size_t> group, std::int32_t e) const {
    std::int32_t t = x_.thread[writes_[group.first]];
    std::int32_t limit = t == x_.thread[e] ? index_[e] - 1 : seen(e, t);
    auto first = writes_.begin() + static_cast<std::ptrdiff_t>(group.first);
    auto end = std::partition_point(first, writes_.begin() + static_cast<std::ptrdiff_t>(group.second),
                                    [&](std::int32_t w) { return index_[w] <= limit; });
    return end == first ? kNone : *(end - 1);
  }

  const Execution& x_;
  const Ints& index_;
  const Chains& chains_;
  Ints last_;          // per chain: its last write
  Ints initial_last_;  // per location: the last update of its initial write's chain
  Ints writes_;        // by location, then thread, then program order
  std::vector<std::pair<std::size_t, std::size_t>> groups_;  // ranges of writes_ of one location and thread
  Large<std::size_t> group_start_;                           // per location
  Ints clock_;
};

}  // namespace

std::optional<Large<Edge>> saturate(const Execution& x, const Schedule& schedule, const Chains& chains,
                                    Large<Edge> edges, Budget& budget) {
  if (!budget.hold(sizeof(std::int32_t) * static_cast<std::uint64_t>(x.size()) * x.threads))
    return std::nullopt;
  Saturation saturation(x, schedule, chains);
  saturation.add_initial(edges);
  while (true) {
    EdgeGraph graph(x.size(), edges);
    if (!graph.acyclic()) return std::nullopt;
    std::size_t before = edges.size();
    saturation.compute_clocks(graph);
    if (!saturation.extend(edges) || !budget.spend(x.size())) return std::nullopt;
    if (edges.size() == before) return edges;
  }
}

}  // namespace porf::coherence
