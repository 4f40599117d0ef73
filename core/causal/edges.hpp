// The edges that the causal criteria of Zennou et al. 2019 speak of: those of the recording, and those
// inferred from reads.
#pragma once

#include <cstdint>

#include "execution.hpp"
#include "graph/edge_graph.hpp"
#include "memory.hpp"

namespace porf::causal {

// Which part of program order counts.
enum class Keeps : std::uint8_t {
  kPo = 0,
  kPpo = 1,    // all but a write and a later read
  kPoLoc = 2,  // only events of one location
};

// r reads w; v is another write of the location. All but po and rf are inferred.
enum class Kind : std::uint8_t {
  kPo = 0,
  kRf = 1,
  kHb = 2,  // v before w in the view of r's thread, since v is before r there
  kCf = 3,  // v before w, since v is before r in what all views say together
  kRw = 4,  // r before v, since w is before v in the partial store order
};

struct Edge {
  std::int32_t from, to;  // rows; `to` is ~location for an initial write, which nothing may come before
  Kind kind;
  Keeps keeps;
  std::int32_t read = -1;  // the read that an inferred edge stands on
};

// Steps whose closure is the causal order of one program order: its own, and rf (from other threads, unless
// all of po counts).
Large<Edge> causal_steps(const Execution& x, Keeps keeps);

// Each write's place among those of its thread, from 1; 0 for a read. Clocks over it count writes.
Ints write_index(const Execution& x);

template <typename Wanted>
EdgeGraph graph_of(const Execution& x, const Large<Edge>& edges, Wanted&& wanted) {
  Large<EdgeGraph::Edge> pairs;
  pairs.reserve(edges.size());
  for (const Edge& edge : edges)
    if (edge.to >= 0 && wanted(edge)) pairs.emplace_back(edge.from, edge.to);
  return EdgeGraph(x.size(), std::move(pairs));
}

// How many pairs of writes of one location there are, and how many of them a store order leaves unordered.
struct Pairs {
  std::uint64_t all = 0;
  std::uint64_t ordered = 0;
};

}  // namespace porf::causal
