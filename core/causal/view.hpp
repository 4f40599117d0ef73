// A thread's view: the causal order, and what the thread's own reads say of writes, to a fixpoint. This is
// hb_o of Zennou et al. 2019 for the thread's last event o. It grows along the thread, so the last one holds
// all others.
#pragma once

#include <cstdint>

#include "budget.hpp"
#include "causal/edges.hpp"
#include "graph/edge_graph.hpp"
#include "graph/global_clocks.hpp"
#include "graph/write_lists.hpp"
#include "memory.hpp"

namespace porf::causal {

class View {
 public:
  // `base` is the acyclic graph of the causal order, `order` its clocks.
  View(const Execution& x, const WriteLists& lists, const Ints& index, const EdgeGraph& base,
       const GlobalClocks& order, Keeps keeps);

  // Adds one thread's inferred edges, each after those it stands on. Nodes of a cycle if there is one; when
  // the last edge leads to an initial write, that is reported by `reached_initial`.
  Ints saturate(std::int32_t thread, Large<Edge>& edges, Budget& budget);
  bool reached_initial() const { return reached_initial_; }

 private:
  void start(std::int32_t thread);
  void link(const Edge& edge);
  void push(std::int32_t e);
  void ask(std::int32_t r);
  void propagate(Budget& budget);

  const Execution& x_;
  const WriteLists& lists_;
  const Ints& index_;
  const EdgeGraph& base_;
  const GlobalClocks& order_;
  Keeps keeps_;
  GlobalClocks clocks_;
  Ints place_;  // per event: in the base's topological order
  std::int32_t thread_ = -1;
  bool reached_initial_ = false;
  Large<std::uint8_t> matters_;  // per event: some read of the thread comes after it, or it is one
  Large<std::uint8_t> waiting_;  // per event: in heap_
  Large<std::uint8_t> asked_;    // per event: in reads_
  Ints head_;                    // per event: its first inferred edge in next_
  Large<EdgeGraph::Edge> next_;  // target, next
  Ints heap_;                    // places of events that have learned something
  Ints reads_;                   // the thread's reads that have learned something
};

}  // namespace porf::causal
