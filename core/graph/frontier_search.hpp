// Depth-first search over frontiers (how many events of each thread have run), each visited once.
//
// An event runs only after its predecessors in a given graph, and when the memory lets it. Events that the
// memory calls safe run as soon as they can, without branching: in any completion they could be moved to the
// front.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_set>

#include "budget.hpp"
#include "execution.hpp"
#include "graph/edge_graph.hpp"
#include "memory.hpp"

namespace porf {

// Memory has: bool lets(e) const; bool safe(e) const; void run(e); void undo(e). What matters of its state
// must be determined by the frontier, for a frontier is visited once.
template <typename Memory>
class FrontierSearch {
 public:
  enum class Outcome : std::uint8_t { kFound, kExhausted, kSpent };

  // `edges` are acyclic and hold program order's steps and rf; `index` is each row's place in its thread,
  // from 1.
  FrontierSearch(const Execution& x, const Ints& index, const Large<EdgeGraph::Edge>& edges, Memory& memory)
      : x_(x),
        index_(index),
        memory_(memory),
        start_(static_cast<std::size_t>(x.threads) + 1, 0),
        rows_(x.size()),
        rank_(x.size()),
        done_(x.threads, 0),
        need_start_(static_cast<std::size_t>(x.size()) + 1, 0) {
    for (std::int32_t t : x.thread) ++start_[t + 1];
    for (std::int32_t t = 0; t < x.threads; ++t) start_[t + 1] += start_[t];
    for (std::int32_t e = 0; e < x.size(); ++e) rows_[start_[x.thread[e]] + index_[e] - 1] = e;
    // The first schedule that is tried follows an order of the edges themselves.
    Ints guide = EdgeGraph(x.size(), edges).order();
    for (std::size_t i = 0; i < guide.size(); ++i) rank_[guide[i]] = static_cast<std::int32_t>(i);
    auto needed = [&](const EdgeGraph::Edge& edge) { return x.thread[edge.first] != x.thread[edge.second]; };
    for (const EdgeGraph::Edge& edge : edges)
      if (needed(edge)) ++need_start_[edge.second + 1];
    for (std::int32_t e = 0; e < x.size(); ++e) need_start_[e + 1] += need_start_[e];
    needs_.resize(need_start_.back());
    Large<std::size_t> fill(need_start_.begin(), need_start_.end() - 1);
    for (const EdgeGraph::Edge& edge : edges)
      if (needed(edge)) needs_[fill[edge.second]++] = edge.first;
  }

  Outcome run(Budget& budget) {
    run_safe();
    std::vector<Frame> stack;
    stack.push_back(frame(0));
    while (!stack.empty()) {
      if (static_cast<std::int32_t>(trail_.size()) == x_.size()) return Outcome::kFound;
      Frame& top = stack.back();
      if (top.next == top.choices.size()) {
        undo(top.mark);
        stack.pop_back();
        continue;
      }
      std::size_t mark = trail_.size();
      run_event(top.choices[top.next++]);
      run_safe();
      if (!budget.spend() ||
          !budget.hold(states() * (sizeof(std::string) + 64 + done_.size() * sizeof(done_[0]))))
        return Outcome::kSpent;
      if (visited_.insert(key()).second)
        stack.push_back(frame(mark));
      else
        undo(mark);
    }
    return Outcome::kExhausted;
  }

  // When found: the rows in the order in which they ran.
  const Ints& trail() const { return trail_; }
  std::uint64_t states() const { return visited_.size(); }

 private:
  struct Frame {
    std::size_t mark;  // how long the trail was before this frame's own events
    Ints choices;
    std::size_t next = 0;
  };

  bool has_run(std::int32_t e) const { return index_[e] <= done_[x_.thread[e]]; }
  std::int32_t next_of(std::int32_t t) const {
    return start_[t] + done_[t] < start_[t + 1] ? rows_[start_[t] + done_[t]] : -1;
  }

  bool can_run(std::int32_t e) const {
    if (!memory_.lets(e)) return false;
    for (std::size_t i = need_start_[e]; i < need_start_[e + 1]; ++i)
      if (!has_run(needs_[i])) return false;
    return true;
  }

  void run_safe() {
    for (bool again = true; again;) {
      again = false;
      for (std::int32_t t = 0; t < x_.threads; ++t) {
        for (std::int32_t e = next_of(t); e != -1 && memory_.safe(e) && can_run(e); e = next_of(t)) {
          run_event(e);
          again = true;
        }
      }
    }
  }

  Frame frame(std::size_t mark) const {
    Frame result{mark, {}};
    for (std::int32_t t = 0; t < x_.threads; ++t) {
      std::int32_t e = next_of(t);
      if (e != -1 && can_run(e)) result.choices.push_back(e);
    }
    std::sort(result.choices.begin(), result.choices.end(),
              [&](std::int32_t a, std::int32_t b) { return rank_[a] < rank_[b]; });
    return result;
  }

  void run_event(std::int32_t e) {
    ++done_[x_.thread[e]];
    trail_.push_back(e);
    memory_.run(e);
  }

  void undo(std::size_t mark) {
    while (trail_.size() > mark) {
      std::int32_t e = trail_.back();
      trail_.pop_back();
      --done_[x_.thread[e]];
      memory_.undo(e);
    }
  }

  std::string key() const {
    return {reinterpret_cast<const char*>(done_.data()), done_.size() * sizeof(done_[0])};
  }

  const Execution& x_;
  const Ints& index_;
  Memory& memory_;
  Ints start_, rows_, rank_;
  Ints done_;  // the frontier
  Large<std::size_t> need_start_;
  Ints needs_;  // per event: its predecessors in other threads
  Ints trail_;
  std::unordered_set<std::string> visited_;
};

}  // namespace porf
