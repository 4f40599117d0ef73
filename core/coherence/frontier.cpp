// Depth-first over frontiers (how many events of each thread have run), each visited once.
//
// What prunes it: an event runs only after everything that happens before it or is forced before it in mo;
// while a chain is open (its next update has not run) no other write of its location may run, for atomicity;
// and three kinds of events run as soon as they can, without branching, because in any completion they can be
// moved to the front: reads and fences, an update (nothing of its location can run before it), and the last
// write that a location has left.
#include "coherence/frontier.hpp"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

namespace porf::coherence {
namespace {

class FrontierSearch {
 public:
  FrontierSearch(const Execution& x, const Schedule& schedule, const Large<EdgeGraph::Edge>& edges)
      : x_(x),
        index_(schedule.index),
        start_(x.threads + 1, 0),
        rank_(x.size()),
        done_(x.threads, 0),
        open_(x.locations, kNone),
        left_(x.locations, 0),
        successor_(x.size(), kNone),
        initial_successor_(x.locations, kNone),
        need_start_(x.size() + 1, 0) {
    for (std::int32_t t : x.thread) ++start_[t + 1];
    for (std::int32_t t = 0; t < x.threads; ++t) start_[t + 1] += start_[t];
    rows_.resize(x.size());
    for (std::int32_t e = 0; e < x.size(); ++e) rows_[start_[x.thread[e]] + index_[e] - 1] = e;
    // The first schedule that is tried follows an order of the edges themselves.
    Ints guide = EdgeGraph(x.size(), edges).order();
    for (std::size_t i = 0; i < guide.size(); ++i) rank_[guide[i]] = static_cast<std::int32_t>(i);
    for (std::int32_t e = 0; e < x.size(); ++e) {
      if (x.writes(e)) ++left_[x.loc[e]];
      if (x.op[e] == kUpdate) (x.rf[e] < 0 ? initial_successor_[x.loc[e]] : successor_[x.rf[e]]) = e;
    }
    open_ = initial_successor_;
    // Of the edges only those into writes need looking at: po and rf are looked at anyway.
    auto needed = [&](const EdgeGraph::Edge& edge) {
      return x.writes(edge.second) && x.thread[edge.first] != x.thread[edge.second] &&
             !(x.reads(edge.second) && x.rf[edge.second] == edge.first);
    };
    for (const EdgeGraph::Edge& edge : edges)
      if (needed(edge)) ++need_start_[edge.second + 1];
    for (std::int32_t e = 0; e < x.size(); ++e) need_start_[e + 1] += need_start_[e];
    needs_.resize(need_start_.back());
    Large<std::size_t> fill(need_start_.begin(), need_start_.end() - 1);
    for (const EdgeGraph::Edge& edge : edges)
      if (needed(edge)) needs_[fill[edge.second]++] = edge.first;
  }

  Result run(Budget& budget) {
    Result result;
    result.by_search = true;
    std::vector<Frame> stack;
    run_eager();
    stack.push_back(frame(0));
    while (!stack.empty()) {
      if (static_cast<std::int32_t>(trail_.size()) == x_.size()) {
        order_of_writes(x_, trail_, result);
        result.states = visited_.size();
        return result;
      }
      Frame& top = stack.back();
      if (top.next == top.choices.size()) {
        undo(top.mark);
        stack.pop_back();
        continue;
      }
      std::size_t mark = trail_.size();
      execute(top.choices[top.next++]);
      run_eager();
      if (!budget.spend() ||
          !budget.hold(visited_.size() * (sizeof(std::string) + 64 + done_.size() * sizeof(std::int32_t)))) {
        result.answer = Answer::kUndecided;
        result.states = visited_.size();
        return result;
      }
      if (visited_.insert(key()).second)
        stack.push_back(frame(mark));
      else
        undo(mark);
    }
    result.answer = Answer::kInconsistent;
    result.breach = Breach::kNone;
    result.states = visited_.size();
    return result;
  }

 private:
  struct Frame {
    std::size_t mark;  // how long the trail was before this frame's own events
    Ints choices;
    std::size_t next = 0;
  };

  bool has_run(std::int32_t e) const { return index_[e] <= done_[x_.thread[e]]; }
  std::int32_t next_of(std::int32_t t) const {
    return start_[t] + done_[t] < start_[t + 1] ? rows_[start_[t] + done_[t]] : kNone;
  }

  bool executable(std::int32_t e) const {
    if (x_.reads(e) && x_.rf[e] >= 0 && !has_run(x_.rf[e])) return false;
    if (!x_.writes(e)) return true;
    std::int32_t awaited = open_[x_.loc[e]];
    if (awaited != kNone && awaited != e) return false;
    for (std::size_t i = need_start_[e]; i < need_start_[e + 1]; ++i)
      if (!has_run(needs_[i])) return false;
    return true;
  }

  // Whether running e now can be part of some completion whenever there is one.
  bool safe(std::int32_t e) const { return x_.op[e] != kWrite || left_[x_.loc[e]] == 1; }

  void run_eager() {
    for (bool again = true; again;) {
      again = false;
      for (std::int32_t t = 0; t < x_.threads; ++t) {
        for (std::int32_t e = next_of(t); e != kNone && safe(e) && executable(e); e = next_of(t)) {
          execute(e);
          again = true;
        }
      }
    }
  }

  Frame frame(std::size_t mark) const {
    Frame result{mark, {}};
    for (std::int32_t t = 0; t < x_.threads; ++t) {
      std::int32_t e = next_of(t);
      if (e != kNone && executable(e)) result.choices.push_back(e);
    }
    std::sort(result.choices.begin(), result.choices.end(),
              [&](std::int32_t a, std::int32_t b) { return rank_[a] < rank_[b]; });
    return result;
  }

  void execute(std::int32_t e) {
    ++done_[x_.thread[e]];
    trail_.push_back(e);
    if (!x_.writes(e)) return;
    --left_[x_.loc[e]];
    open_[x_.loc[e]] = successor_[e];
  }

  void undo(std::size_t mark) {
    while (trail_.size() > mark) {
      std::int32_t e = trail_.back();
      trail_.pop_back();
      --done_[x_.thread[e]];
      if (!x_.writes(e)) continue;
      ++left_[x_.loc[e]];
      // Before an update ran its chain waited for it; before a plain write ran no chain was open.
      open_[x_.loc[e]] = x_.op[e] == kUpdate ? e : kNone;
    }
  }

  std::string key() const {
    return {reinterpret_cast<const char*>(done_.data()), done_.size() * sizeof(std::int32_t)};
  }

  const Execution& x_;
  const Ints& index_;
  Ints start_, rows_, rank_;
  Ints done_;  // the frontier
  Ints open_;  // per location: the update that must be its next write
  Ints left_;  // per location: writes that have not run
  Ints successor_, initial_successor_;
  Large<std::size_t> need_start_;
  Ints needs_;  // per write: what must have run before it, by forced edges
  Ints trail_;
  std::unordered_set<std::string> visited_;
};

}  // namespace

Result search_frontiers(const Execution& x, const Schedule& schedule, const Large<EdgeGraph::Edge>& edges,
                        Budget& budget) {
  return FrontierSearch(x, schedule, edges).run(budget);
}

}  // namespace porf::coherence
