// The memory of the frontier search for SRA: while a chain is open, no other write of its location may run.
#include "coherence/frontier.hpp"

#include "graph/frontier_search.hpp"

namespace porf::coherence {
namespace {

class ChainMemory {
 public:
  explicit ChainMemory(const Execution& x)
      : x_(x), open_(x.locations, kNone), left_(x.locations, 0), successor_(x.size(), kNone) {
    for (std::int32_t e = 0; e < x.size(); ++e) {
      if (x.writes(e)) ++left_[x.loc[e]];
      // The chain of the initial write is open from the start.
      if (x.op[e] == kUpdate) (x.rf[e] < 0 ? open_[x.loc[e]] : successor_[x.rf[e]]) = e;
    }
  }

  bool lets(std::int32_t e) const {
    return !x_.writes(e) || open_[x_.loc[e]] == kNone || open_[x_.loc[e]] == e;
  }

  // Nothing of its location can run before an open chain's update, and nothing is left to run after a last
  // write.
  bool safe(std::int32_t e) const { return x_.op[e] != kWrite || left_[x_.loc[e]] == 1; }

  void run(std::int32_t e) {
    if (!x_.writes(e)) return;
    --left_[x_.loc[e]];
    open_[x_.loc[e]] = successor_[e];
  }

  void undo(std::int32_t e) {
    if (!x_.writes(e)) return;
    ++left_[x_.loc[e]];
    // Before an update ran its chain waited for it; before a plain write ran no chain was open.
    open_[x_.loc[e]] = x_.op[e] == kUpdate ? e : kNone;
  }

 private:
  const Execution& x_;
  Ints open_;       // per location: the update that must be its next write
  Ints left_;       // per location: writes that have not run
  Ints successor_;  // per write: the update that reads it
};

}  // namespace

Result search_frontiers(const Execution& x, const Schedule& schedule, const Large<EdgeGraph::Edge>& edges,
                        Budget& budget) {
  ChainMemory memory(x);
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
