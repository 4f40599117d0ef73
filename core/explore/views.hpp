// Happens-before, event by event: from program order alone, from every read, or from releases and acquires.
#pragma once

#include <cstring>
#include <vector>

#include "explore/graph.hpp"

namespace porf::explore {

enum class Sync : std::uint8_t {
  kNone,          // happens-before is program order
  kAll,           // every read synchronises: program order and reads-from
  kOrders,        // as the orders of accesses and fences say
  kAtomic,        // every atomic access releases and acquires, a non-atomic one does not
  kAtomicOrders,  // as the orders say; what a non-atomic access reads or writes passes nothing on
  kOwnWrites,     // and what a release passes on, its thread's later writes to its location pass on, too
};

// The clocks of one graph. Events are set in the order of arrival; an event that is set again is overwritten.
class Views {
 public:
  void set(const Graph& g, std::int32_t e, Sync sync) { set(g, e, g[e], sync); }
  // Event e, which may be no part of the graph yet.
  void set(const Graph& g, std::int32_t e, const Event& v, Sync sync) {
    std::size_t n = static_cast<std::size_t>(g.stride), size = static_cast<std::size_t>(e + 1) * n;
    if (happens_.size() < size) {
      happens_.resize(size);
      if (sync >= Sync::kOrders) {
        message_.resize(size);
        unfenced_.resize(size);
        fenced_.resize(size);
      }
    }
    std::int32_t before = g.predecessor(v);
    Clock* hb = row(happens_, e, n);
    copy(hb, happens_, before, n);
    g.each_awaited(v, [&](std::int32_t awaited) { join_clock(hb, row(happens_, awaited, n), n); });
    hb[v.thread] = static_cast<Clock>(v.index + 1);
    if (sync == Sync::kNone) return;
    if (sync == Sync::kAll) {
      if (v.rf >= 0) join_clock(hb, row(happens_, v.rf, n), n);
      return;
    }
    bool strong = sync == Sync::kAtomic && v.order != kNa;
    Clock* unfenced = row(unfenced_, e, n);
    Clock* fenced = row(fenced_, e, n);
    Clock* message = row(message_, e, n);
    bool inherits = v.prev >= 0;  // what fences of the starting thread saw stays with it
    copy(unfenced, unfenced_, inherits ? v.prev : -1, n);
    copy(fenced, fenced_, inherits ? v.prev : -1, n);
    bool silent = sync >= Sync::kAtomicOrders && v.order == kNa;
    if (sync == Sync::kOwnWrites && v.loc >= 0) {
      if (release_.size() <= static_cast<std::size_t>(e)) release_.resize(static_cast<std::size_t>(e + 1) * 2);
      release_[e] = v.writes() && releases(v.order) ? e : v.same >= 0 ? release_[v.same] : -1;
    }
    if (v.rf >= 0 && !silent) {
      const Clock* got = row(message_, v.rf, n);
      join_clock(strong || acquires(v.order) ? hb : unfenced, got, n);
    }
    if (v.op == kFence && acquires(v.order)) join_clock(hb, unfenced, n);
    if (v.op == kFence && releases(v.order)) copy_clock(fenced, hb, n);
    if (v.writes()) {
      copy_clock(message, strong || releases(v.order) ? hb : fenced, n);
      if (sync == Sync::kOwnWrites && !releases(v.order) && release_[e] >= 0)
        join_clock(message, row(happens_, release_[e], n), n);
      if (v.op == kUpdate && v.rf >= 0) join_clock(message, row(message_, v.rf, n), n);
      if (silent) std::memset(message, 0, sizeof(Clock) * n);
    }
  }

  const Clock* operator()(const Graph& g, std::int32_t e) const {
    return happens_.data() + static_cast<std::size_t>(e) * static_cast<std::size_t>(g.stride);
  }

 private:
  using Clocks = std::vector<Clock>;

  static Clock* row(Clocks& c, std::int32_t e, std::size_t n) { return c.data() + static_cast<std::size_t>(e) * n; }
  static void copy(Clock* to, Clocks& c, std::int32_t from, std::size_t n) {
    if (from >= 0)
      copy_clock(to, row(c, from, n), n);
    else
      std::memset(to, 0, sizeof(Clock) * n);
  }

  Clocks happens_, message_, unfenced_, fenced_;
  std::vector<std::int32_t> release_;  // the last release by the thread at the location, up to an event
};

}  // namespace porf::explore
