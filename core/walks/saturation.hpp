// What walks force on the order of chains: where a path leads from a write to where a step by the modification order
// could lead back to it, that step is excluded, and so the write comes first.
#pragma once

#include "budget.hpp"
#include "walks/write_chains.hpp"

namespace porf::walks {

// Pairs of chains, of which `chains` does not know yet; the product has no cycle, and its steps are what is forced.
Large<EdgeGraph::Edge> forced_by(const Nodes& nodes, const Automaton& automaton, const StepLists& steps,
                                 const WriteChains& chains, const Ints& order, const Product& product, Budget& budget);

}  // namespace porf::walks
