// A transitive relation that has all of program order, by one pass of vector clocks over its walks: edges that generate
// it, and who of one location is before whom.
#pragma once

#include "budget.hpp"
#include "walks/product.hpp"

namespace porf::walks {

struct HappensBefore {
  bool cyclic = false;
  bool unsuited = false;              // a walk can go round without coming to its end: not for clocks
  Large<EdgeGraph::Edge> generating;  // with program order; between threads
  Large<EdgeGraph::Edge> at;          // between accesses of a location in different threads: the last before each
};

HappensBefore happens_before(const Nodes& nodes, const Automaton& automaton, const StepLists& steps, Budget& budget);

}  // namespace porf::walks
