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
    for (std::int32_t loc : contested_) {
      const Set& writes = places_[loc].writes;
      std::int32_t pairs = 0, count = writes.count();
      writes.each([&](std::int32_t w) { pairs += (before_[w] & writes).count(); });
      if (pairs != count * (count - 1) / 2) return false;
    }
    return true;
  }

  // Whether there is a total order that keeps to what is forced.
  bool possible() {
    std::size_t mark = trail_.size();
    bool found = search(0, true, 0, [] { return true; });
    undo(mark);
    return found;
  }

  // Makes this a copy of another, with the writes of each location in one order that is possible, if there is
  // one. The other remembers that order, too, and looks there first the next time.
  bool complete(ForcedOrder& other) {
    *this = other;
    if (!search(0, true, 0, [] { return true; })) return false;
    trail_.clear();
    for (std::int32_t loc : contested_)
      places_[loc].writes.each(
          [&](std::int32_t w) { rank_[w] = other.rank_[w] = (before_[w] & places_[loc].writes).count(); });
    return true;
  }

  // Visits every possible order of the writes of each location.
  template <typename Visit>
  void each_order(const Visit& visit) {
    std::size_t mark = trail_.size();
    search(0, true, 0, [&] { return visit(), false; });
    undo(mark);
  }

  // The writes of a location that are in one order, in that order.
  void append_writes(std::int32_t loc, std::vector<std::int32_t>& out) {
    const Set& writes = place(loc).writes;
    std::size_t first = out.size();
    out.resize(first + static_cast<std::size_t>(writes.count()));
    writes.each([&](std::int32_t w) { out[first + static_cast<std::size_t>((before_[w] & writes).count())] = w; });
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

  // The writes of a location, none after one that must follow it; otherwise as in the order found last.
  void line_up(std::int32_t loc) {
    ranked_.clear();
    places_[loc].writes.each([&](std::int32_t w) { ranked_.push_back(w); });
    std::sort(ranked_.begin(), ranked_.end(),
              [&](std::int32_t a, std::int32_t b) { return rank_[a] != rank_[b] ? rank_[a] < rank_[b] : a < b; });
    line_.clear();
    for (std::int32_t w : ranked_) {
      auto follows = [&](std::int32_t other) { return before_[other].test(w); };
      line_.insert(std::find_if(line_.begin(), line_.end(), follows), w);
    }
  }

  // Puts neighbours in the line of a location in order, one pair after the other, and then the other way round; then
  // the next location. If all neighbours are in order, all writes are; `reached` says whether to end there.
  template <typename Reached>
  bool search(std::size_t place, bool fresh, std::size_t from, const Reached& reached) {
    for (; place < contested_.size(); ++place, fresh = true) {
      if (fresh) line_up(contested_[place]), from = 0;
      for (; from + 1 < line_.size(); ++from) {
        std::int32_t v = line_[from], w = line_[from + 1];
        if (before_[w].test(v)) continue;
        if (before_[v].test(w)) return search(place, true, 0, reached);
        std::size_t mark = trail_.size();
        if (add(v, w) && search(place, false, from + 1, reached)) return true;
        undo(mark);
        return add(w, v) && search(place, true, 0, reached);
      }
    }
    return reached();
  }

  bool add(std::int32_t v, std::int32_t w) {
    Set first{};
    first.set(v);
    return (link(first, w) && saturate()) || give_up();
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
  std::vector<std::int32_t> ranked_, line_;  // of `search`
  Set present_{};
  Set queue_{};
};

}  // namespace porf::explore
