// Kahn's algorithm over a compressed adjacency; short cycles by breadth-first search among what it leaves.
#include "graph/edge_graph.hpp"

#include <algorithm>

#include "allowance.hpp"

namespace porf {

EdgeGraph::EdgeGraph(std::int32_t nodes, Large<Edge> edges)
    : nodes_(nodes), start_(static_cast<std::size_t>(nodes) + 1, 0), target_(edges.size()) {
  Toil toil;
  Large<std::uint32_t> incoming(nodes, 0);
  for (auto [from, to] : edges) {
    toil.demand();
    ++start_[from + 1];
    ++incoming[to];
  }
  for (std::int32_t v = 0; v < nodes; ++v) start_[v + 1] += start_[v];
  {
    Large<std::uint32_t> fill(start_.begin(), start_.end() - 1);
    for (auto [from, to] : edges) {
      toil.demand();
      target_[fill[from]++] = to;
    }
    Large<Edge>().swap(edges);
  }
  order_.reserve(nodes);
  for (std::int32_t root = 0; root < nodes; ++root) {
    if (incoming[root] != 0) continue;
    // A root placed now; what it frees follows at once, so that order_ doubles as the work list.
    std::size_t next = order_.size();
    order_.push_back(root);
    incoming[root] = 1;  // not to be placed again when the outer loop comes to it
    for (; next < order_.size(); ++next) {
      std::int32_t v = order_[next];
      toil.demand(4 + start_[v + 1] - start_[v]);
      for (std::uint32_t i = start_[v]; i < start_[v + 1]; ++i) {
        if (--incoming[target_[i]] == 0) {
          order_.push_back(target_[i]);
          incoming[target_[i]] = 1;
        }
      }
    }
  }
}

Ints EdgeGraph::short_cycle() const {
  Large<std::uint8_t> stuck(nodes_, 1);
  for (std::int32_t v : order_) stuck[v] = 0;
  constexpr std::size_t kEdgeBudget = 20'000'000;
  Ints best = cycle_through(node_on_cycle(stuck), stuck, nodes_ + std::size_t{1});
  std::size_t cost = target_.size() + nodes_;
  std::size_t spent = cost;
  for (std::int32_t root = 0; root < nodes_ && spent <= kEdgeBudget && best.size() > 2; ++root) {
    if (!stuck[root]) continue;
    auto cycle = cycle_through(root, stuck, best.size());
    if (!cycle.empty()) best = std::move(cycle);
    spent += cost;
  }
  return best;
}

// Depth first until an edge leads back onto the path.
std::int32_t EdgeGraph::node_on_cycle(const Large<std::uint8_t>& stuck) const {
  Large<std::uint8_t> state(nodes_, 0);  // 1 on the path, 2 finished
  std::vector<std::pair<std::int32_t, std::uint32_t>> path;
  for (std::int32_t root = 0; root < nodes_; ++root) {
    if (!stuck[root] || state[root] != 0) continue;
    path.emplace_back(root, start_[root]);
    state[root] = 1;
    while (!path.empty()) {
      auto& [v, next] = path.back();
      if (next == start_[v + 1]) {
        state[v] = 2;
        path.pop_back();
        continue;
      }
      std::int32_t u = target_[next++];
      if (state[u] == 1) return u;
      if (state[u] == 0 && stuck[u]) {
        state[u] = 1;
        path.emplace_back(u, start_[u]);
      }
    }
  }
  return -1;
}

Ints EdgeGraph::cycle_through(std::int32_t root, const Large<std::uint8_t>& stuck, std::size_t shorter_than) const {
  Ints parent(nodes_, -1);
  Ints queue{root};
  Large<std::size_t> depth{1};
  for (std::size_t head = 0; head < queue.size(); ++head) {
    std::int32_t v = queue[head];
    if (depth[head] >= shorter_than) return {};
    for (std::uint32_t i = start_[v]; i < start_[v + 1]; ++i) {
      std::int32_t u = target_[i];
      if (u == root) {
        Ints cycle;
        for (std::int32_t w = v; w != root; w = parent[w]) cycle.push_back(w);
        cycle.push_back(root);
        std::reverse(cycle.begin(), cycle.end());
        return cycle;
      }
      if (!stuck[u] || parent[u] != -1) continue;
      parent[u] = v;
      queue.push_back(u);
      depth.push_back(depth[head] + 1);
    }
  }
  return {};
}

}  // namespace porf
