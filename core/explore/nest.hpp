// The graph that is explored, and how a part of it takes its place and goes again: what revisits do. A part has a level
// of its own, a graph beside the one that it is a part of, which then need not be restored. But if the part begins with
// most of the graph, that would be copied for nothing: then the end of the graph is cut off, and put back later.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "explore/engine.hpp"
#include "explore/graph.hpp"
#include "explore/mutex.hpp"
#include "explore/races.hpp"
#include "explore/runner.hpp"

namespace porf::explore {

// A lock that took an unlock which is no part of what is kept: it waits again for the lock before that.
struct Sleeper {
  std::int32_t lock;     // its number in the part
  std::int32_t unlock;   // what it took in the whole, by the number there,
  std::int64_t written;  // and what it wrote
};

template <Engine Consistency>
class Nest {
 public:
  // A state of the graph to which one can go back.
  struct Mark {
    std::int32_t level, size;
    std::size_t detours;
  };

  Nest(Runner& runner, Consistency& engine, Races& races)
      : runner_(runner), engine_(engine), races_(races), locks_(runner.program().has(Opcode::kLock)) {}

  void clear() {
    graphs_.clear();
    graphs_.push_back(runner_.fresh());
    go_to(0);
    detours_ = 0;
    engine_.clear(0);
    races_.load(0, 0);
  }

  Graph& graph() { return *present_; }
  std::int32_t level() const { return level_; }
  Mark mark() { return {level_, graph().size(), detours_}; }

  // Back to a graph of before. What is common to it and the present one stays as it is.
  void back_to(const Mark& mark) {
    for (go_to(mark.level); detours_ > mark.detours; --detours_) {
      const Detour& detour = tails_[detours_ - 1];
      if (detour.level > level_) continue;  // that graph is not needed any more
      std::int32_t from = detour.tail.first();
      shorten(from);
      bool last = detours_ == mark.detours + 1;
      put_back(detour.tail, last ? mark.size : std::min(mark.size, tails_[detours_ - 2].tail.first()));
    }
    shorten(mark.size);
  }

  // The present graph becomes its part on some events, all of those before number r among them; event `last` arrives
  // last (-1: none does). The engine knows what is common to both; `load` tells it the rest.
  void restrict_to(const std::vector<bool>& keep, std::int32_t r, std::int32_t last) {
    const Graph& g = graph();
    find_sleepers(g, keep, r);
    std::int32_t from = r;
    for (const Sleeper& s : sleepers_) from = std::min(from, s.lock);
    if (locks_) from = settled(g, from);
    common_ = from > kShort + kLong * (g.size() - from) ? from : 0;
    if (common_ > 0)
      cut_off(keep, last);
    else
      copy(keep, last);
    Graph& h = graph();
    for (std::size_t i = 0; i < sleepers_.size(); ++i) {
      sleepers_[i].lock = renamed(sleepers_[i].lock);
      put_to_sleep(h, sleepers_[i].lock, renamed(holders_[i]));
    }
  }

  // The numbers that events of the whole have in the part, -1 if none.
  std::int32_t renamed(std::int32_t e) const { return e < common_ ? e : renamed_[static_cast<std::size_t>(e)]; }
  void rename(std::int32_t e, std::int32_t now) { renamed_[static_cast<std::size_t>(e)] = now; }
  // The locks of the part that sleep although they did not in the whole.
  const std::vector<Sleeper>& sleepers() const { return sleepers_; }
  void add_sleeper(const Sleeper& sleeper) { sleepers_.push_back(sleeper); }

  // The engine gets what is new to it. The last `fresh` arrivals are not known to be consistent; false if they are not.
  bool load(std::int32_t fresh) {
    Graph& g = graph();
    if (common_ == 0) return engine_.rebuild(g, level_, fresh);
    std::int32_t n = g.size(), i = common_;
    for (; i < n - fresh; ++i) engine_.push(g, level_, g.arrived(i));
    while (i < n && engine_.try_push(g, level_, g.arrived(i))) ++i;
    if (i == n) return true;
    while (i-- > common_) engine_.pop(g, level_, g.arrived(i));
    g.shorten(common_);
    return false;
  }
  void load_races() { races_.load(level_, common_); }

  // Lock e of a part takes another source after all.
  template <typename Change>
  void change(std::int32_t e, const Change& change) {
    Graph& g = graph();
    auto place = std::find(g.arrival.begin() + common_, g.arrival.end(), e);
    auto first = static_cast<std::int32_t>(place - g.arrival.begin());
    for (std::int32_t i = g.size() - 1; i >= first; --i) engine_.pop(g, level_, g.arrived(i));
    change(g[e]);
    g.set_clock(e);
    std::rotate(place, place + 1, g.arrival.end());
    for (std::int32_t i = first; i < g.size(); ++i) engine_.push(g, level_, g.arrived(i));
  }

  // About how many bytes graphs and tails take.
  std::uint64_t held() {
    const Graph& g = graph();
    std::uint64_t an_event = sizeof(Event) + sizeof(Pending) + sizeof(Clock) * static_cast<std::uint64_t>(g.stride) +
                             2 * sizeof(std::int64_t) * static_cast<std::uint64_t>(g.slots);
    std::uint64_t graphs = static_cast<std::uint64_t>(level_ + 1) * static_cast<std::uint64_t>(g.size());
    return graphs * an_event + (detours_ > 0 ? tails_[detours_ - 1].bytes : 0);
  }

 private:
  // A part takes the place of its whole if that is so many times as long as what is cut off, and not short.
  static constexpr std::int32_t kShort = 64, kLong = 4;

  // An end that was cut off; `bytes` are those of all so far.
  struct Detour {
    std::int32_t level = 0;
    Tail tail;
    std::uint64_t bytes = 0;
  };

  void go_to(std::int32_t level) {
    level_ = level;
    present_ = &graphs_[static_cast<std::size_t>(level)];
  }

  // The most events, up to a number, that arrived before all others. Locks that went to sleep have kept their place
  // among events that arrived before them.
  static std::int32_t settled(const Graph& g, std::int32_t size) {
    std::int32_t found = 0, last = -1;
    for (std::int32_t i = 0; i < size; ++i) {
      last = std::max(last, g.arrived(i));
      if (last == i) found = i + 1;
    }
    return found;
  }

  void find_sleepers(const Graph& g, const std::vector<bool>& keep, std::int32_t r) {
    sleepers_.clear();
    holders_.clear();
    for (std::int32_t e : g.backward) {
      if (e >= r || keep[g[e].rf]) continue;
      sleepers_.push_back({e, g[e].rf, g[e].written});
      holders_.push_back(lock_of(g, g[e].rf));
    }
  }

  // A lock waits for another one; its thread stops there.
  void put_to_sleep(Graph& g, std::int32_t lock, std::int32_t holder) {
    runner_.read_from(g, g[lock], g.pending_before(lock), holder, false);
    g.set_clock(lock);
    runner_.settle(g, lock);
    if (holder > lock) g.backward.push_back(lock);
  }

  void copy(const std::vector<bool>& keep, std::int32_t last) {
    if (static_cast<std::size_t>(level_) + 1 >= graphs_.size()) graphs_.push_back(runner_.fresh());
    const Graph& g = graph();
    go_to(level_ + 1);
    graph().restrict_to(g, keep, last, renamed_);
  }

  void cut_off(const std::vector<bool>& keep, std::int32_t last) {
    Graph& g = graph();
    if (detours_ == tails_.size()) tails_.emplace_back();
    Detour& detour = tails_[detours_];
    detour.level = level_;
    detour.tail.clear(g.size(), g.stride);
    for (std::int32_t i = g.size() - 1; i >= common_; --i) engine_.pop(g, level_, g.arrived(i));
    g.cut_off(common_, detour.tail);
    detour.bytes = detour.tail.bytes() + (detours_ > 0 ? tails_[detours_ - 1].bytes : 0);
    ++detours_;
    g.admit(detour.tail, keep, last, renamed_);
  }

  void shorten(std::int32_t size) {
    Graph& g = graph();
    for (std::int32_t i = g.size() - 1; i >= size; --i) engine_.pop(g, level_, g.arrived(i));
    g.shorten(size);
  }

  void put_back(const Tail& tail, std::int32_t size) {
    Graph& g = graph();
    std::int32_t from = g.size();
    if (size <= from) return;
    g.put_back(tail, size);
    for (std::int32_t i = from; i < size; ++i) engine_.push(g, level_, g.arrived(i));
    races_.load(level_, from);
  }

  Runner& runner_;
  Consistency& engine_;
  Races& races_;
  bool locks_;                // whether some lock may sleep
  std::deque<Graph> graphs_;  // one a level
  std::int32_t level_ = 0;
  Graph* present_ = nullptr;  // that of the level
  std::deque<Detour> tails_;
  std::size_t detours_ = 0;  // those in use
  std::int32_t common_ = 0;  // how many events of the present graph its whole has, too, with the same numbers
  std::vector<std::int32_t> renamed_;
  std::vector<Sleeper> sleepers_;
  std::vector<std::int32_t> holders_;
};

}  // namespace porf::explore
