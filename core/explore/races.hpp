// What can be wrong between two events that happens-before does not order. A data race: two accesses of a location, one
// of them a write and one of them not atomic. And an access of an object that another event frees: it must happen
// before that, and after the object was allocated.
#pragma once

#include <vector>

#include "explore/graph.hpp"
#include "explore/memory_map.hpp"
#include "explore/overlaps.hpp"
#include "explore/views.hpp"

namespace porf::explore {

// The other event, and what is wrong.
struct Conflict {
  Bug bug = Bug::kNone;
  std::int32_t other = -1;
};

class Races {
 public:
  // `seen`: whether every access sees what happens before it.
  Races(const MemoryMap& memory, bool wanted, Sync sync, bool seen)
      : memory_(memory), wanted_(wanted), sync_(sync), seen_(seen) {}

  void clear(const Graph& g, std::int32_t level) {
    if (!wanted_) return;
    auto size = static_cast<std::size_t>(level) + 1;
    if (size > levels_.size()) levels_.resize(size);
    if (size > own_.size() && !seen_) own_.resize(size);
    for (std::int32_t e : g.arrival) set(g, level, e);
  }

  // The event was added last.
  Conflict push(const Graph& g, std::int32_t level, std::int32_t e) {
    if (!wanted_) return {};
    set(g, level, e);
    const Event& v = g[e];
    const Clock* hb = levels_[level](g, e);
    if (v.op == kFreeOp) return freed(g, e, hb);
    if (v.loc < 0) return {};
    if (!g.frees.empty()) {
      std::int64_t object = number_of(memory_[v.loc].pointer);
      for (std::int32_t f : g.frees)
        if (g[f].other == object) return {Bug::kDangling, f};
    }
    for (std::int32_t o = g.last_at(v.loc); o >= 0; o = g[o].at) {
      if (o == e || g.before(o, hb)) continue;
      if ((v.order == kNa || g[o].order == kNa) && (v.writes() || g[o].writes())) return {Bug::kRace, o};
    }
    if (!memory_.rivals(v.loc).empty())
      if (Conflict found = overlapping(g, level, e); found.bug != Bug::kNone) return found;
    return known(v, hb) ? Conflict{} : Conflict{Bug::kUnknown, -1};
  }

 private:
  void set(const Graph& g, std::int32_t level, std::int32_t e) {
    levels_[level].set(g, e, sync_);
    if (!seen_) own_[level].set(g, e, Sync::kNone);
  }

  // Whether an access comes after another one and sees it. Program order, starts and joins show it in every model.
  bool sees(const Graph& g, std::int32_t level, std::int32_t e, std::int32_t other) const {
    return g.before(other, seen_ ? levels_[level](g, e) : own_[level](g, e));
  }

  // The accesses of other widths must be ordered. If they are not, and all are atomic, no model says what they mean.
  Conflict overlapping(const Graph& g, std::int32_t level, std::int32_t e) {
    const Event& v = g[e];
    for (std::int32_t loc : memory_.rivals(v.loc)) {
      if (loc == v.loc || !overlap(memory_[loc], memory_[v.loc])) continue;
      for (std::int32_t o = g.last_at(loc); o >= 0; o = g[o].at) {
        if ((!v.writes() && !g[o].writes()) || sees(g, level, e, o)) continue;
        bool plain = v.order == kNa || g[o].order == kNa;
        return {plain && !g.before(o, levels_[level](g, e)) ? Bug::kRace : Bug::kMixedWidth, o};
      }
    }
    return {};
  }

  // Whether the object was allocated before the access.
  bool known(const Event& v, const Clock* hb) const {
    const Extent& object = memory_.object(number_of(memory_[v.loc].pointer));
    return object.thread < 0 || object.thread == v.thread || sync_ == Sync::kNone || hb[object.thread] > object.events;
  }

  // Every access of the object must have happened before, and nobody else may free it.
  Conflict freed(const Graph& g, std::int32_t e, const Clock* hb) const {
    for (std::int32_t f : g.frees)
      if (f != e && g[f].other == g[e].other) return {Bug::kTwiceFreed, f};
    for (std::int32_t o = 0; o < g.size(); ++o)
      if (g[o].loc >= 0 && number_of(memory_[g[o].loc].pointer) == g[e].other && !g.before(o, hb))
        return {Bug::kDangling, o};
    return {};
  }

  const MemoryMap& memory_;
  bool wanted_;
  Sync sync_;
  bool seen_;
  std::vector<Views> levels_;
  std::vector<Views> own_;  // if not all that happens before is seen: without what reads synchronise
};

}  // namespace porf::explore
