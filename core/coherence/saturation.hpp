// What SRA with updates forces beyond single reads: whole chains come before whole chains, along the global
// order.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "budget.hpp"
#include "coherence/scan.hpp"
#include "coherence/schedule.hpp"
#include "execution.hpp"
#include "graph/edge_graph.hpp"
#include "memory.hpp"

namespace porf::coherence {

// Saturates base edges (happens-before and forced ones) under: if a write of chain A precedes a write of
// chain B of the same location, then the last of A precedes the top of B, for atomicity keeps chains
// together. Each round is near-linear: a vector clock over the whole graph, then the last write of each
// thread before each write. Empty when a cycle arises (then no modification order exists) or the budget is
// spent.
std::optional<Large<EdgeGraph::Edge>> saturate(const Execution& x, const Schedule& schedule,
                                               const Chains& chains, Large<EdgeGraph::Edge> edges,
                                               Budget& budget);

}  // namespace porf::coherence
