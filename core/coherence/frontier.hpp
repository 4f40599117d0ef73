// The frontier search for SRA with updates (Theorem 1.3 of Tunç et al. 2023): which sets of events can be
// executed?
#pragma once

#include <cstdint>
#include <vector>

#include "budget.hpp"
#include "coherence/check.hpp"
#include "coherence/schedule.hpp"
#include "graph/edge_graph.hpp"
#include "memory.hpp"

namespace porf::coherence {

// `edges` hold happens-before and everything that is forced in mo; they are acyclic, and an event runs only
// after its predecessors.
Result search_frontiers(const Execution& x, const Schedule& schedule, const Large<EdgeGraph::Edge>& edges,
                        Budget& budget);

}  // namespace porf::coherence
