// Depth-first search over frontiers (how many events of each thread have run), each visited once.
//
// An event runs only after its predecessors in a given graph, and when the memory lets it. Events that the memory calls
// safe run as soon as they can, without branching: in any completion they could be moved to the front.
//
// First one schedule is repaired. Where it gets stuck, threads wait for each other in a circle, and some of
// them wait only because a write ran before another that could have gone first. The latest such write is
// undone, and waits for the other from then on. Only if that does not lead to the end are frontiers searched.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "allowance.hpp"
#include "execution.hpp"
#include "graph/edge_graph.hpp"
#include "memory.hpp"

namespace porf {

// Memory has: bool lets(e) const; bool safe(e) const; void run(e); void undo(e). What matters of its state must be
// determined by the frontier, for a frontier is visited once. It may have each_blocker(e, visit): visit(p, c) for what
// e must wait for, as long as c, which has run, stands before e: schedules are repaired then.
template <typename Memory>
class FrontierSearch {
 public:
  enum class Outcome : std::uint8_t { kFound, kExhausted, kSpent };

  // `edges` are acyclic and hold program order's steps and rf; `index` is each row's place in its thread, from 1.
  FrontierSearch(const Execution& x, const Ints& index, const Large<EdgeGraph::Edge>& edges, Memory& memory)
      : x_(x),
        index_(index),
        memory_(memory),
        start_(static_cast<std::size_t>(x.threads) + 1, 0),
        rows_(x.size()),
        rank_(x.size()),
        done_(x.threads, 0),
        place_(x.size(), 0),
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
    if constexpr (requires(const Memory& m) { m.each_blocker(0, [](std::int32_t, std::int32_t) {}); }) {
      if (repair(budget)) return Outcome::kFound;
      if (budget.spent()) return Outcome::kSpent;
      undo(0);
      waits_.clear();
    }
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
      if (!budget.spend() || !budget.hold(states() * (sizeof(std::string) + 64 + done_.size() * sizeof(done_[0]))))
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
    if (waits_.empty()) return true;
    auto waits = waits_.find(e);
    return waits == waits_.end() ||
           std::all_of(waits->second.begin(), waits->second.end(), [&](std::int32_t p) { return has_run(p); });
  }

  bool repair(Budget& budget) {
    for (std::size_t repairs = 0; repairs <= most_repairs(); ++repairs) {
      std::size_t before = trail_.size();
      descend();
      if (static_cast<std::int32_t>(trail_.size()) == x_.size()) return true;
      if (!budget.spend(1 + (trail_.size() - before) / 4)) return false;
      auto [early, late] = culprit();
      if (early < 0) return false;
      std::erase(waits_[late], early);
      waits_[early].push_back(late);
      if (has_run(early)) undo(static_cast<std::size_t>(place_[early]));
    }
    return false;
  }

  std::size_t most_repairs() const { return 1000 + static_cast<std::size_t>(x_.size()) / 4; }

  // Runs what can run, always the first by rank, until nothing can.
  void descend() {
    for (;;) {
      run_safe();
      std::int32_t first = -1;
      for (std::int32_t t = 0; t < x_.threads; ++t) {
        std::int32_t e = next_of(t);
        if (e != -1 && (first < 0 || rank_[e] < rank_[first]) && can_run(e)) first = e;
      }
      if (first < 0) return;
      run_event(first);
    }
  }

  // A thread whose next event waits for one of another thread. It would not, if `early` came after `late`;
  // -1 where the wait is certain.
  struct Wait {
    std::int32_t on, early, late;
  };

  // Of a circle of waits with the fewest that are not certain: the pair that was turned round least often,
  // lest repairs come round in a circle too; then the one whose early write ran last, which costs least.
  std::pair<std::int32_t, std::int32_t> culprit() {
    std::vector<std::vector<Wait>> waits(x_.threads);
    for (std::int32_t t = 0; t < x_.threads; ++t) {
      std::int32_t e = next_of(t);
      if (e == -1) continue;
      for (std::size_t i = need_start_[e]; i < need_start_[e + 1]; ++i)
        if (!has_run(needs_[i])) waits[t].push_back({x_.thread[needs_[i]], -1, -1});
      if (auto more = waits_.find(e); more != waits_.end())
        for (std::int32_t p : more->second)
          if (!has_run(p)) waits[t].push_back({x_.thread[p], p, e});
      memory_.each_blocker(e, [&](std::int32_t p, std::int32_t early) {
        if (!has_run(p)) waits[t].push_back({x_.thread[p], early, e});
      });
    }
    std::vector<Wait> best;
    std::int32_t fewest = std::numeric_limits<std::int32_t>::max();
    for (std::int32_t t = 0; t < x_.threads; ++t) {
      toil_.demand(2 * static_cast<std::uint64_t>(x_.threads));
      shortest_circle(waits, t, fewest, best);
    }
    std::erase_if(best, [](const Wait& wait) { return wait.early < 0; });
    if (best.empty()) return {-1, -1};
    auto cost = [&](const Wait& wait) {
      auto pair = std::minmax(wait.early, wait.late);
      return std::pair(turned_[pair], has_run(wait.early) ? -place_[wait.early] : 1);
    };
    const Wait& chosen =
        *std::min_element(best.begin(), best.end(), [&](const Wait& v, const Wait& w) { return cost(v) < cost(w); });
    ++turned_[std::minmax(chosen.early, chosen.late)];
    return {chosen.early, chosen.late};
  }

  void shortest_circle(const std::vector<std::vector<Wait>>& waits, std::int32_t root, std::int32_t& fewest,
                       std::vector<Wait>& best) const {
    constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max();
    Ints distance(x_.threads, kFar);
    std::vector<std::pair<std::int32_t, Wait>> parent(x_.threads);
    std::deque<std::pair<std::int32_t, std::int32_t>> queue{{0, root}};
    bool start = true;
    while (!queue.empty()) {
      auto [d, t] = queue.front();
      queue.pop_front();
      if (t == root && !start) break;
      if (d >= fewest) return;
      if (!start && d > distance[t]) continue;
      start = false;
      for (const Wait& wait : waits[t]) {
        std::int32_t there = d + (wait.early < 0 ? 0 : 1);
        if (there >= distance[wait.on]) continue;
        distance[wait.on] = there;
        parent[wait.on] = {t, wait};
        if (wait.early < 0)
          queue.emplace_front(there, wait.on);
        else
          queue.emplace_back(there, wait.on);
      }
    }
    if (distance[root] >= fewest) return;
    fewest = distance[root];
    best.clear();
    for (std::int32_t t = root; best.empty() || t != root; t = parent[t].first) best.push_back(parent[t].second);
  }

  void run_safe() {
    for (bool again = true; again;) {
      again = false;
      toil_.demand(static_cast<std::uint64_t>(x_.threads));
      for (std::int32_t t = 0; t < x_.threads; ++t) {
        for (std::int32_t e = next_of(t); e != -1 && memory_.safe(e) && can_run(e); e = next_of(t)) {
          toil_.demand(16);
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
    place_[e] = static_cast<std::int32_t>(trail_.size());
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

  std::string key() const { return {reinterpret_cast<const char*>(done_.data()), done_.size() * sizeof(done_[0])}; }

  const Execution& x_;
  const Ints& index_;
  Memory& memory_;
  Ints start_, rows_, rank_;
  Ints done_;   // the frontier
  Ints place_;  // per event that has run: its place in the trail
  Large<std::size_t> need_start_;
  Ints needs_;  // per event: its predecessors in other threads
  Ints trail_;
  std::unordered_map<std::int32_t, Ints> waits_;                          // what repairs added to needs_
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> turned_;  // how often, by pair
  std::unordered_set<std::string> visited_;
  Toil toil_;
};

}  // namespace porf
