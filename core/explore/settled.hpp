// Accesses that need no place in an order, since no other thread has a choice there. What is *fixed* is program order
// with starts, joins and barriers. While all that conflicts at a location is fixed, each read there has one source, and
// reads-from, from-reads and the modification order follow from what is fixed: the location is *settled*. So are
// thread-local phases, private objects, and tables that are filled first and only read then. What is done before the
// first thread starts is in the same way a new initial value for all that come later.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "explore/graph.hpp"

namespace porf::explore {

// The locations of one graph. Events are pushed as they arrived, and go again the last one first.
class Settled {
 public:
  void clear() {
    for (std::int32_t loc : used_) homes_[loc] = Home{};
    used_.clear();
    rows_.clear();
    readers_.clear();
    count_ = starts_ = 0;
  }

  // Whether nobody has started another thread yet.
  bool alone(const Graph& g) const { return starts_ == 0 && g.is_single(); }

  // Whether two accesses of a location that conflict are not fixed.
  bool is_contested(std::int32_t loc) const { return has(loc) && homes_[loc].contested; }

  // The last write that is not contested: the source of all reads of a settled location, what stands for the initial
  // value of another one.
  std::int32_t source(std::int32_t loc) const { return has(loc) ? homes_[loc].write : kInitial; }

  // How many events were pushed before the first of the location that is no initial value; -1 if there is none.
  std::int32_t first(std::int32_t loc) const { return has(loc) ? homes_[loc].first : -1; }

  // Whether a read by a thread, after event p, of a location that is not contested has only the source.
  bool knows_source(const Graph& g, std::int32_t loc, std::int32_t thread, std::int32_t p) const {
    return source(loc) < 0 || is_fixed(g, homes_[loc].write, thread, p);
  }

  // The same, also before another thread is started.
  bool has_one_source(const Graph& g, std::int32_t loc, std::int32_t thread, std::int32_t p) const {
    return alone(g) || knows_source(g, loc, thread, p);
  }

  // Whether a location that is not contested is not, either, with a new access after p.
  bool fits(const Graph& g, const Event& v, std::int32_t p) const {
    if (!has(v.loc)) return !v.reads() || v.rf == kInitial;
    const Home& home = homes_[v.loc];
    if ((v.reads() && v.rf != home.write) || !knows_source(g, v.loc, v.thread, p)) return false;
    if (!v.writes()) return true;
    if (home.row >= 0) return all_fixed(g, home.row, v.thread, p);
    return home.read < 0 || is_fixed(g, home.read, v.thread, p);
  }

  // The event e comes after p. `contested`: whether its location is to be, if nothing else is known of it.
  void push(const Graph& g, std::int32_t e, const Event& v, std::int32_t p, bool contested) {
    fit(e);
    meeting_[e] = p >= 0 ? meeting_[p] : -1;
    if (meets(v)) add_row(g, e, v);
    if (v.loc >= 0 && v.op != kFreeOp) access(g, e, v, contested);
    starts_ += v.op == kSpawnOp;
    ++count_;
  }

  void pop(const Graph& g, std::int32_t e) {
    const Event& v = g[e];
    if (meets(v)) rows_.resize(rows_.size() - static_cast<std::size_t>(g.stride));
    if (v.loc >= 0 && v.op != kFreeOp) {
      Home& home = homes_[v.loc];
      if (home.row >= 0 && home.row != saved_[e].row) readers_.resize(static_cast<std::size_t>(home.row));
      home = saved_[e];
    }
    starts_ -= v.op == kSpawnOp;
    --count_;
  }

 private:
  struct Home {
    std::int32_t write = kInitial;  // the last one
    std::int32_t read = -1;         // the last one since then
    std::int32_t first = -1;
    std::int32_t row = -1;  // if reads since then are not fixed: the last one of each thread
    bool contested = false;
    bool used = false;
  };

  static bool meets(const Event& v) { return v.op == kSpawnOp || v.op == kJoinOp || v.op == kBarrierOp; }

  bool has(std::int32_t loc) const { return static_cast<std::size_t>(loc) < homes_.size(); }

  void fit(std::int32_t e) {
    if (static_cast<std::size_t>(e) < meeting_.size()) return;
    meeting_.resize(static_cast<std::size_t>(e + 1) * 2);
    saved_.resize(meeting_.size());
  }

  // Whether o, which was pushed, is fixed before the next event of a thread, which comes after p.
  bool is_fixed(const Graph& g, std::int32_t o, std::int32_t thread, std::int32_t p) const {
    const Event& v = g[o];
    if (v.thread == thread) return true;
    if (p < 0 || meeting_[p] < 0) return false;
    return rows_[static_cast<std::size_t>(meeting_[p]) * g.stride + v.thread] > v.index;
  }

  void access(const Graph& g, std::int32_t e, const Event& v, bool contested) {
    if (!has(v.loc)) homes_.resize(static_cast<std::size_t>(v.loc + 1) * 2);
    Home& home = homes_[v.loc];
    if (!home.used) used_.push_back(v.loc);
    home.used = true;
    saved_[e] = home;
    if (alone(g)) {
      if (v.writes()) home.write = e;
      return;
    }
    if (home.first < 0) {
      home.first = count_;
      home.contested = contested;
    }
    if (home.contested) return;
    if (v.writes()) {
      home.write = e;
      home.read = home.row = -1;
    } else {
      if (home.row >= 0 || (home.read >= 0 && !is_fixed(g, home.read, v.thread, g.predecessor(v))))
        add_reader(g, home, v);
      home.read = e;
    }
  }

  bool all_fixed(const Graph& g, std::int32_t row, std::int32_t thread, std::int32_t p) const {
    if (p < 0 || meeting_[p] < 0) return false;
    const std::int32_t* reads = &readers_[static_cast<std::size_t>(row)];
    const std::int32_t* fixed = &rows_[static_cast<std::size_t>(meeting_[p]) * g.stride];
    for (std::int32_t t = 0; t < g.stride; ++t)
      if (t != thread && reads[t] > fixed[t]) return false;
    return true;
  }

  void add_reader(const Graph& g, Home& home, const Event& v) {
    auto stride = static_cast<std::size_t>(g.stride);
    std::size_t to = readers_.size();
    readers_.resize(to + stride);
    if (home.row >= 0)
      std::copy_n(readers_.begin() + home.row, stride, readers_.begin() + static_cast<std::ptrdiff_t>(to));
    else
      readers_[to + g[home.read].thread] = g[home.read].index + 1;
    readers_[to + v.thread] = v.index + 1;
    home.row = static_cast<std::int32_t>(to);
  }

  void add_row(const Graph& g, std::int32_t e, const Event& v) {
    auto stride = static_cast<std::size_t>(g.stride);
    std::size_t from = rows_.size();
    rows_.resize(from + stride);
    auto join = [&](std::int32_t o) {
      if (meeting_[o] >= 0)
        for (std::size_t t = 0; t < stride; ++t)
          rows_[from + t] = std::max(rows_[from + t], rows_[static_cast<std::size_t>(meeting_[o]) * stride + t]);
      rows_[from + g[o].thread] = std::max(rows_[from + g[o].thread], g[o].index + 1);
    };
    if (std::int32_t p = g.predecessor(v); p >= 0) join(p);
    g.each_awaited(v, join);
    rows_[from + v.thread] = v.index + 1;
    meeting_[e] = static_cast<std::int32_t>(from / stride);
  }

  std::vector<Home> homes_;            // location
  std::vector<std::int32_t> used_;     // locations
  std::vector<Home> saved_;            // event -> what was known of its location before it,
  std::vector<std::int32_t> meeting_;  // and the row of the last start, join or barrier that is fixed before it, or it
  std::vector<std::int32_t> rows_;     // row, thread -> how many of its events are fixed before that, or are it
  std::vector<std::int32_t> readers_;  // likewise, how many up to its last read of a location
  std::int32_t count_ = 0, starts_ = 0;
};

}  // namespace porf::explore
