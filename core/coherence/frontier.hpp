// The frontier search for SRA with updates (Theorem 1.3 of Tunç et al. 2023): which sets of events can be executed?
#pragma once

#include <cstdint>

#include "budget.hpp"
#include "coherence/check.hpp"
#include "coherence/schedule.hpp"
#include "graph/edge_graph.hpp"
#include "graph/frontier_search.hpp"
#include "graph/write_progress.hpp"
#include "memory.hpp"

namespace porf::coherence {

// While a chain is open, no other write of its location may run.
class ChainMemory {
 public:
  ChainMemory(const Execution& x, const WriteLists& lists, const GlobalClocks& clocks)
      : x_(x), open_(x.locations, kNone), successor_(x.size(), kNone), progress_(x, lists, clocks) {
    for (std::int32_t e = 0; e < x.size(); ++e) {
      // The chain of the initial write is open from the start.
      if (x.op[e] == kUpdate) (x.rf[e] < 0 ? open_[x.loc[e]] : successor_[x.rf[e]]) = e;
    }
  }

  bool lets(std::int32_t e) const { return !x_.writes(e) || open_[x_.loc[e]] == kNone || open_[x_.loc[e]] == e; }

  // Nothing of its location can run before an open chain's update, nor before the next write.
  bool safe(std::int32_t e) const { return x_.op[e] != kWrite || progress_.is_next(e); }

  void run(std::int32_t e) {
    if (!x_.writes(e)) return;
    progress_.run(e);
    open_[x_.loc[e]] = successor_[e];
  }

  void undo(std::int32_t e) {
    if (!x_.writes(e)) return;
    progress_.undo(e);
    // Before an update ran its chain waited for it; before a plain write ran no chain was open.
    open_[x_.loc[e]] = x_.op[e] == kUpdate ? e : kNone;
  }

 private:
  const Execution& x_;
  Ints open_;       // per location: the update that must be its next write
  Ints successor_;  // per write: the update that reads it
  WriteProgress progress_;
};

// `edges` hold happens-before and everything that is forced in mo; they are acyclic, and an event runs only
// after its predecessors.
inline Result search_frontiers(const Execution& x, const Schedule& schedule, const Large<EdgeGraph::Edge>& edges,
                               Budget& budget) {
  WriteLists lists(x);
  GlobalClocks clocks(x, schedule.index);
  clocks.compute(EdgeGraph(x.size(), edges));
  ChainMemory memory(x, lists, clocks);
  FrontierSearch<ChainMemory> search(x, schedule.index, edges, memory);
  auto outcome = search.run(budget);
  Result result;
  result.by_search = true;
  result.states = search.states();
  using Outcome = FrontierSearch<ChainMemory>::Outcome;
  if (outcome == Outcome::kFound)
    order_of_writes(x, search.trail(), result);
  else
    result.answer = outcome == Outcome::kExhausted ? Answer::kInconsistent : Answer::kUndecided;
  return result;
}

}  // namespace porf::coherence
