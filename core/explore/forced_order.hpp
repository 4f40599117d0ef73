// What a graph forces on every total order that explains it, kept transitively closed as bits. A read that
// *binds* must have its source as the last write of its location before it; so another write that is known to
// be before the read is before the source, and one that is known to be after the source is after the read.
// `complete` decides what is left open: the writes of a location that nothing orders yet.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "explore/bits.hpp"
#include "explore/graph.hpp"

namespace porf::explore {

template <int kWords>
class ForcedOrder {
 public:
  using Set = Bits<kWords>;
  using Rows = std::vector<Set>;

  struct Node {
    std::int32_t loc = -1;
    std::int32_t rf = kNotRead;
    bool writes = false;
    bool binds = false;
  };

  struct Place {
    Set writes{};
    Set accesses{};
    Set of_initial{};  // what binds to the initial value
  };

  void clear() {
    trail_.clear();
    present_ = Set{};
    contested_.clear();
    std::fill(places_.begin(), places_.end(), Place{});
  }

  // The event comes after those in `before` (closed downwards); the writes in `passed` come before what it
  // reads, or are that. False if there is no such order; then the event must be removed.
  bool insert(std::int32_t e, const Node& node, const Set& before, Set passed) {
    fit(e);
    mark_[e] = trail_.size();
    nodes_[e] = node;
    before_[e] = before;
    present_.set(e);
    if (node.loc < 0) return true;
    Place& x = place(node.loc);
    x.accesses.set(e);
    if (node.writes) {
      if (x.writes.count() == 1) contested_.push_back(node.loc);
      x.writes.set(e);
      readers_[e] = Set{};
      rank_[e] = node.rf >= 0 ? rank_[node.rf] : kLast + e;
    }
    if (node.binds) (node.rf >= 0 ? readers_[node.rf] : x.of_initial).set(e);
    gained_[e] = before;
    queue_.set(e);
    return (constrain(e, x, passed) && saturate()) || give_up();
  }

  // Takes back the event that was inserted last.
  void remove(std::int32_t e) {
    undo(mark_[e]);
    present_.reset(e);
    const Node& node = nodes_[e];
    if (node.loc < 0) return;
    Place& x = places_[node.loc];
    x.accesses.reset(e);
    if (node.binds) (node.rf >= 0 ? readers_[node.rf] : x.of_initial).reset(e);
    if (!node.writes) return;
    x.writes.reset(e);
    if (x.writes.count() == 1) contested_.pop_back();
  }

  // Whether the writes of each location are in one order.
  bool decided() const {
    std::size_t from = 0;
    std::int32_t v, w;
    return !open_pair(from, v, w);
  }

  // Whether there is a total order that keeps to what is forced. `out`, if given, gets the events before each
  // event in such an order of the writes and what follows from it.
  bool complete(Rows* out) {
    std::size_t mark = trail_.size();
    bool found = search(0);
    if (found && out != nullptr) {
      *out = before_;
      for (std::int32_t loc : contested_)
        places_[loc].writes.each(
            [&](std::int32_t w) { rank_[w] = (before_[w] & places_[loc].writes).count(); });
    }
    undo(mark);
    return found;
  }

  const Rows& before() const { return before_; }
  const Node& node(std::int32_t e) const { return nodes_[e]; }
  const Set& readers(std::int32_t write) const { return readers_[write]; }
  Place& place(std::int32_t loc) {
    if (static_cast<std::size_t>(loc) >= places_.size()) places_.resize(static_cast<std::size_t>(loc) + 1);
    return places_[loc];
  }

 private:
  static constexpr std::int32_t kLast = 1 << 20;

  struct Change {
    std::int32_t event;
    Set before;
  };

  void fit(std::int32_t e) {
    if (e >= 64 * kWords) throw Grow{Grow::kWrites};
    if (static_cast<std::size_t>(e) < before_.size()) return;
    std::size_t size = std::min<std::size_t>(static_cast<std::size_t>(e + 1) * 2, 64 * kWords);
    before_.resize(size);
    readers_.resize(size);
    gained_.resize(size);
    nodes_.resize(size);
    mark_.resize(size);
    rank_.resize(size);
  }

  void undo(std::size_t mark) {
    while (trail_.size() > mark) {
      before_[trail_.back().event] = trail_.back().before;
      trail_.pop_back();
    }
  }

  // What a new event says at once; the rest follows by the rules.
  bool constrain(std::int32_t e, const Place& x, Set passed) {
    const Node& node = nodes_[e];
    if (node.rf >= 0) passed.reset(node.rf);
    if (passed.any() && (node.rf < 0 || !link(passed, node.rf))) return false;
    if (node.writes) {
      Set first = x.of_initial;
      first.reset(e);
      if (!link(first, e)) return false;
    }
    if (!node.binds) return true;
    Set self{};
    self.set(e);
    bool good = true;
    x.writes.each([&](std::int32_t w) {
      if (good && w != e && (node.rf < 0 || before_[w].test(node.rf))) good = link(self, w);
    });
    return good;
  }

  // Those in `first` come before e.
  bool link(Set first, std::int32_t e) {
    first.remove(before_[e]);
    if (!first.any()) return true;
    Set added = first;
    first.each([&](std::int32_t a) { added.add(before_[a]); });
    if (added.test(e)) return false;
    present_.each([&](std::int32_t s) {
      if ((s != e && !before_[s].test(e)) || before_[s].contains(added)) return;
      trail_.push_back({s, before_[s]});
      Set gained = added;
      gained.remove(before_[s]);
      before_[s].add(added);
      gained_[s].add(gained);
      queue_.set(s);
    });
    return true;
  }

  bool saturate() {
    while (queue_.any()) {
      std::int32_t s = queue_.first();
      queue_.reset(s);
      Set gained = gained_[s];
      gained_[s] = Set{};
      const Node& node = nodes_[s];
      if (node.loc < 0) continue;
      Set writes = gained & places_[node.loc].writes;
      if (!writes.any()) continue;
      if (node.binds) {
        Set earlier = writes;
        if (node.rf >= 0) earlier.reset(node.rf);
        if (earlier.any() && (node.rf < 0 || !link(earlier, node.rf))) return false;
      }
      if (!node.writes) continue;
      Set readers{};
      writes.each([&](std::int32_t w) { readers.add(readers_[w]); });
      readers.reset(s);
      if (!link(readers, s)) return false;
    }
    return true;
  }

  bool give_up() {
    queue_.each([&](std::int32_t s) { gained_[s] = Set{}; });
    queue_ = Set{};
    return false;
  }

  // Two writes of a location that are in no order, if there are such; locations before `from` have none. The
  // first of them came first in the order that was found last.
  bool open_pair(std::size_t& from, std::int32_t& v, std::int32_t& w) const {
    for (; from < contested_.size(); ++from) {
      const Set& writes = places_[contested_[from]].writes;
      std::int32_t pairs = 0, count = writes.count(), best = -1;
      writes.each([&](std::int32_t a) { pairs += (before_[a] & writes).count(); });
      if (pairs == count * (count - 1) / 2) continue;
      writes.each([&](std::int32_t a) {
        if ((best < 0 || rank_[a] < rank_[best]) && in_no_order(a, writes) >= 0) best = a;
      });
      v = best;
      w = in_no_order(best, writes);
      if (rank_[w] < rank_[v]) std::swap(v, w);
      return true;
    }
    return false;
  }

  std::int32_t in_no_order(std::int32_t a, const Set& writes) const {
    Set others = writes;
    others.remove(before_[a]);
    others.reset(a);
    std::int32_t found = -1;
    others.each([&](std::int32_t b) {
      if (found < 0 && !before_[b].test(a)) found = b;
    });
    return found;
  }

  bool search(std::size_t from) {
    std::int32_t v = 0, w = 0;
    if (!open_pair(from, v, w)) return true;
    std::size_t mark = trail_.size();
    for (int turn = 0; turn < 2; ++turn, std::swap(v, w)) {
      Set first{};
      first.set(v);
      if (((link(first, w) && saturate()) || give_up()) && search(from)) return true;
      undo(mark);
    }
    return false;
  }

  Rows before_;
  Rows readers_;  // write -> what binds to it
  Rows gained_;   // what rules have not seen yet
  std::vector<Node> nodes_;
  std::vector<std::size_t> mark_;
  std::vector<std::int32_t> rank_;  // write -> its place among those of its location, in the order found last
  std::vector<Place> places_;
  std::vector<std::int32_t> contested_;  // locations with two writes and more
  std::vector<Change> trail_;
  Set present_{};
  Set queue_{};
};

}  // namespace porf::explore
