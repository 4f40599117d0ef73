// From a cycle of inferred edges to the edges that it stands on, each with the path that its ground names,
// over earlier edges only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "graph/edge_graph.hpp"
#include "memory.hpp"

namespace porf {

// The edges that matter, by their numbers: each stands after those of its path.
struct Explained {
  Ints edges;
  Large<std::int32_t> path_start;  // the path of edges[i]: path[path_start[i] … path_start[i + 1])
  Ints path;                       // places in `edges`
  Ints cycle;                      // places in `edges`, closing
};

// `Edges` is a list of edges with the members `from` and `to`. `Rules` says what they stand on:
//   bool told(edge)            a path with few of these tells the story best;
//   bool usable(step, edge)    a path of this edge may take that step (an edge with a smaller number);
//   bool in_cycle(step)        a cycle may take it;
//   optional<Edge> path(edge)  from where to where its path leads, if it has one.
template <typename Edges, typename Rules>
class Explanation {
 public:
  Explanation(std::int32_t nodes, const Edges& edges, const Rules& rules)
      : nodes_(nodes), edges_(edges), rules_(rules), start_(static_cast<std::size_t>(nodes) + 1, 0) {
    for (const auto& edge : edges) ++start_[edge.from + 1];
    for (std::int32_t e = 0; e < nodes; ++e) start_[e + 1] += start_[e];
    out_.resize(edges.size());
    Large<std::size_t> fill(start_.begin(), start_.end() - 1);
    for (std::size_t i = 0; i < edges.size(); ++i) out_[fill[edges[i].from]++] = static_cast<std::int32_t>(i);
  }

  // A cycle through one of these nodes, with few edges that are told; each of the nodes is on one.
  Ints cycle_through(const Ints& nodes) const {
    Ints cycle;
    std::int32_t length = kFar;
    std::size_t effort = 0;
    for (std::int32_t node : nodes) {
      Ints through = search(node, node, length, [&](std::int32_t step) { return rules_.in_cycle(step); });
      if (!through.empty()) {
        cycle = std::move(through);
        length = static_cast<std::int32_t>(
            std::count_if(cycle.begin(), cycle.end(), [&](std::int32_t step) { return rules_.told(step); }));
      }
      effort += edges_.size();
      if (effort > kEffort || length <= 1) break;
    }
    return cycle;
  }

  // Nothing if that is too large to be told: the caller has other means.
  Explained explain(const Ints& cycle) const {
    std::map<std::int32_t, Ints> paths;  // by edge; ascending, so each edge comes after those of its path
    std::set<std::int32_t> pending(cycle.begin(), cycle.end());
    while (!pending.empty() && paths.size() < kMostEdges) {
      std::int32_t edge = *pending.rbegin();
      pending.erase(edge);
      if (!paths.try_emplace(edge, path_of(edge)).second) continue;
      for (std::int32_t step : paths[edge])
        if (!paths.contains(step)) pending.insert(step);
    }
    if (!pending.empty()) return {};
    Explained told;
    std::map<std::int32_t, std::int32_t> number;
    told.path_start.push_back(0);
    for (const auto& [edge, path] : paths) {
      number[edge] = static_cast<std::int32_t>(told.edges.size());
      told.edges.push_back(edge);
      for (std::int32_t step : path) told.path.push_back(number[step]);
      told.path_start.push_back(static_cast<std::int32_t>(told.path.size()));
    }
    for (std::int32_t edge : cycle) told.cycle.push_back(number[edge]);
    return told;
  }

 private:
  static constexpr std::size_t kMostEdges = 20'000;
  static constexpr std::size_t kEffort = 50'000'000;
  static constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max();

  Ints path_of(std::int32_t edge) const {
    std::optional<EdgeGraph::Edge> ends = rules_.path(edge);
    if (!ends) return {};
    return search(ends->first, ends->second, kFar,
                  [&](std::int32_t step) { return step < edge && rules_.usable(step, edge); });
  }

  // A path (a cycle, if from is to) with the fewest edges that are told; none if that is not below the bound.
  template <typename Usable>
  Ints search(std::int32_t from, std::int32_t to, std::int32_t bound, Usable&& usable) const {
    Ints distance(nodes_, kFar), parent(nodes_, -1);
    std::deque<std::pair<std::int32_t, std::int32_t>> queue{{0, from}};
    bool start = true;
    while (!queue.empty()) {
      auto [d, e] = queue.front();
      queue.pop_front();
      if (e == to && !start) break;
      if (!start && d > distance[e]) continue;
      start = false;
      for (std::size_t i = start_[e]; i < start_[e + 1]; ++i) {
        if (!usable(out_[i])) continue;
        const auto& edge = edges_[out_[i]];
        std::int32_t there = d + (rules_.told(out_[i]) ? 1 : 0);
        if (there >= distance[edge.to] || there >= bound) continue;
        distance[edge.to] = there;
        parent[edge.to] = out_[i];
        if (there == d)
          queue.emplace_front(there, edge.to);
        else
          queue.emplace_back(there, edge.to);
      }
    }
    Ints path;
    if (parent[to] < 0) return path;
    std::int32_t e = to;
    do {
      path.push_back(parent[e]);
      e = edges_[parent[e]].from;
    } while (e != from);
    std::reverse(path.begin(), path.end());
    return path;
  }

  std::int32_t nodes_;
  const Edges& edges_;
  const Rules& rules_;
  Large<std::size_t> start_;
  Ints out_;
};

}  // namespace porf
