// What SC, TSO, PSO and RMO ask of a total order of all writes: graphs of rows that stay acyclic with it.
//
// Chini and Saivasan 2020's framework: a model is (po-mm, rf-mm), and every model but SC has a second graph, of one
// location each (uniprocessor). A graph's edges here generate its base relation: paths count, not single edges.
#pragma once

#include <vector>

#include "execution.hpp"
#include "graph/edge_graph.hpp"
#include "memory.hpp"

namespace porf::store_order {

enum class Model : std::uint8_t { kSc = 0, kTso = 1, kPso = 2, kRmo = 3 };

struct Graph {
  Large<EdgeGraph::Edge> edges;
  bool ordered = true;  // the order of writes and from-read belong to it; false: the edges alone (thin air)
};

std::vector<Graph> graphs_of(const Execution& x, Model model);

}  // namespace porf::store_order
