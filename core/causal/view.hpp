// A thread's view: the causal order, and what the thread's own reads say of writes, to a fixpoint. This is hb_o of
// Zennou et al. 2019 for the thread's last event o. It grows along the thread, so the last one holds all others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "budget.hpp"
#include "causal/conflicts.hpp"
#include "causal/edges.hpp"
#include "graph/edge_graph.hpp"
#include "graph/global_clocks.hpp"
#include "graph/write_lists.hpp"
#include "memory.hpp"

namespace porf::causal {

class View {
 public:
  // `base` is the acyclic graph of the causal order, `order` its clocks.
  View(const Execution& x, const WriteLists& lists, const Ints& index, const EdgeGraph& base, const GlobalClocks& order,
       Keeps keeps)
      : x_(x),
        lists_(lists),
        index_(index),
        base_(base),
        order_(order),
        keeps_(keeps),
        clocks_(x, index),
        place_(x.size()) {
    for (std::size_t i = 0; i < base.order().size(); ++i) place_[base.order()[i]] = static_cast<std::int32_t>(i);
  }

  // Rounds: the reads that have learned something infer edges, then what is new spreads along the graph,
  // first events first. Adds one thread's inferred edges, each after those it stands on. Nodes of a cycle if
  // there is one; when the last edge leads to an initial write, that is reported by `reached_initial`.
  Ints saturate(std::int32_t thread, Large<Edge>& edges, Budget& budget) {
    start(thread);
    Ints turning;
    while (!reads_.empty() && budget.spend(reads_.size())) {
      std::size_t first = edges.size();
      Ints reads = std::move(reads_);
      reads_.clear();
      for (std::int32_t r : reads) asked_[r] = 0;
      for (std::int32_t r : reads) {
        if (add_conflicts(x_, lists_, index_, clocks_, r, Kind::kHb, keeps_, edges)) continue;
        reached_initial_ = true;
        return {edges.back().from};
      }
      for (std::size_t i = first; i < edges.size(); ++i) link(edges[i]);
      propagate(budget);
      // The base is acyclic, so that a cycle has an edge of this round.
      for (std::size_t i = first; i < edges.size(); ++i)
        if (clocks_.before(edges[i].to, edges[i].from)) turning.push_back(edges[i].from);
      if (!turning.empty()) break;
    }
    return turning;
  }

  bool reached_initial() const { return reached_initial_; }

 private:
  void start(std::int32_t thread) {
    thread_ = thread;
    reached_initial_ = false;
    clocks_.start_from(order_);
    matters_.assign(x_.size(), 0);
    waiting_.assign(x_.size(), 0);
    asked_.assign(x_.size(), 0);
    head_.assign(x_.size(), -1);
    next_.clear();
    heap_.clear();
    reads_.clear();
    for (auto e = base_.order().rbegin(); e != base_.order().rend(); ++e) {
      bool own = x_.thread[*e] == thread && x_.reads(*e);
      matters_[*e] = own;
      base_.each_target(*e, [&](std::int32_t f) { matters_[*e] |= matters_[f]; });
      if (own) ask(*e);
    }
    std::reverse(reads_.begin(), reads_.end());
  }

  void link(const Edge& edge) {
    next_.emplace_back(edge.to, head_[edge.from]);
    head_[edge.from] = static_cast<std::int32_t>(next_.size()) - 1;
    clocks_.learn(edge.from, edge.to);
    if (matters_[edge.to]) push(edge.to);
  }

  void push(std::int32_t e) {
    if (waiting_[e]) return;
    waiting_[e] = 1;
    heap_.push_back(place_[e]);
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }

  void ask(std::int32_t r) {
    if (asked_[r]) return;
    asked_[r] = 1;
    reads_.push_back(r);
  }

  void propagate(Budget& budget) {
    Toil toil;
    while (!heap_.empty() && budget.spend()) {
      toil.demand(2 * static_cast<std::uint64_t>(x_.threads));
      std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
      std::int32_t e = base_.order()[heap_.back()];
      heap_.pop_back();
      waiting_[e] = 0;
      auto tell = [&](std::int32_t f) {
        if (matters_[f] && clocks_.learn(e, f)) push(f);
      };
      base_.each_target(e, tell);
      for (std::int32_t i = head_[e]; i >= 0; i = next_[i].second) tell(next_[i].first);
      if (x_.thread[e] == thread_ && x_.reads(e)) ask(e);
    }
  }

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
