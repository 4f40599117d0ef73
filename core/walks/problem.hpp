// Is there a modification order under which no walk of a model comes back to where it began? What is forced, to a
// fixpoint; an order that is tried; and, where that fails, the pairs of chains that are to blame.
#pragma once

#include <cstdint>
#include <vector>

#include "budget.hpp"
#include "walks/write_chains.hpp"

namespace porf::walks {

// What came of an order that was tried.
struct Attempt {
  Answer answer = Answer::kUndecided;  // inconsistent: no order will do
  Limit limit = Limit::kNone;
  Ints writes;  // if consistent: the order, location by location
  Large<std::int64_t> start;
  Ints clauses;                    // otherwise pairs (before, after) of chains that cannot all hold, clause by clause:
  Large<std::int64_t> clause_end;  // where each ends among the pairs
};

class Problem {
 public:
  // `ordered`: pairs of accesses (a, b) such that a's value does not come after b's.
  Problem(Nodes nodes, std::vector<Automaton> walks, StepLists steps, const Large<EdgeGraph::Edge>& ordered);
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;

  // Whether coherence and the axioms without a modification order leave any hope: consistent if so.
  Answer begin(Budget& budget);
  // Adds what is forced, given what is known; consistent if nothing new was found. Undecided: more may follow.
  Answer saturate(Budget& budget);
  // Tries the order with the lowest keys that keeps what is forced, and these pairs of chains.
  Attempt attempt(const Ints& keys, std::span<const EdgeGraph::Edge> pairs, Budget& budget);

  // Per chain, when it could begin if the threads ran in turn, or as the rows say if they could be such a run.
  Ints keys() const;

  const WriteChains& chains() const { return chains_; }
  std::uint64_t forced() const { return chains_.forced().size(); }

 private:
  bool dynamic(const Automaton& a) const;
  bool across() const;
  void blame(const Automaton& automaton, const std::vector<Place>& cycle, Attempt& attempt) const;

  Nodes nodes_;
  std::vector<Automaton> walks_;
  StepLists steps_;
  WriteChains chains_;
  bool coherent_ = true;
};

}  // namespace porf::walks
