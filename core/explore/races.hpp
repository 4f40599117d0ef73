// What can be wrong between two events that happens-before does not order. A data race: two accesses of a location, one
// of them a write and one of them not atomic. And an access of an object that another event frees: it must happen
// before that, and after the object was allocated.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "explore/conflict.hpp"
#include "explore/file_races.hpp"
#include "explore/graph.hpp"
#include "explore/memory_map.hpp"
#include "explore/overlaps.hpp"
#include "explore/views.hpp"

namespace porf::explore {

class Races {
 public:
  // `seen`: whether every access sees what happens before it. `file`: if there is one, happens-before is that of a
  // model file, of which nothing is known.
  Races(const MemoryMap& memory, bool wanted, Sync sync, bool seen, std::unique_ptr<FileRaces> file)
      : memory_(memory),
        wanted_(wanted),
        sync_(sync),
        seen_(seen && file == nullptr),
        file_(wanted ? std::move(file) : nullptr) {}

  // The events of a graph from some arrival on are others than before; what was before that is the same.
  void load(std::int32_t level, std::int32_t from) {
    if (!wanted_) return;
    auto size = static_cast<std::size_t>(level) + 1;
    if (size > levels_.size()) {
      levels_.resize(size);
      set_.resize(size);
    }
    if (size > own_.size() && !seen_) own_.resize(size);
    set_[level] = std::min(set_[level], from);
  }

  // The event was added last.
  Conflict push(const Graph& g, std::int32_t level, std::int32_t e) {
    if (!wanted_) return {};
    std::int32_t arrival = g.size() - 1;
    while (g.arrived(arrival) != e) --arrival;  // a revisit also changes events that are there
    set_[level] = std::min(set_[level], arrival);
    const Event& v = g[e];
    if (v.loc < 0 && v.op != kFreeOp) return {};
    if (!g.ended_by.empty())
      if (Conflict ended = after_end(g, e); ended.bug != Bug::kNone) return ended;
    if (is_harmless(g, v)) return {};
    catch_up(g, level);
    Conflict found = file_ != nullptr ? file_->newest(g, e) : newest(g, e, levels_[level](g, e));
    if (found.bug == Bug::kNone && v.loc >= 0 && !memory_.rivals(v.loc).empty()) return overlapping(g, level, e);
    return found;
  }

  // Of an execution that has ended: the file whose happens-before can be judged only now.
  FileRaces* late() const { return file_ != nullptr && file_->late() ? file_.get() : nullptr; }

 private:
  // Whether no clock is needed to see that the event conflicts with nothing: all accesses of its place are atomic, and
  // as wide, and the place was there from the beginning. So programs pay for clocks only as far as others are met.
  bool is_harmless(const Graph& g, const Event& v) const {
    if (file_ != nullptr || v.op == kFreeOp || v.order == kNa || !g.all_atomic(v.loc)) return false;
    return memory_.rivals(v.loc).empty() && memory_.object(number_of(memory_[v.loc].pointer)).thread < 0;
  }

  void catch_up(const Graph& g, std::int32_t level) {
    for (std::int32_t i = set_[level]; i < g.size(); ++i) set(g, level, g.arrived(i));
    set_[level] = g.size();
  }
  void set(const Graph& g, std::int32_t level, std::int32_t e) {
    if (file_ == nullptr) levels_[level].set(g, e, sync_);
    if (!seen_) own_[level].set(g, e, Sync::kNone);
  }

  // What is freed may not be accessed or freed again.
  Conflict after_end(const Graph& g, std::int32_t e) const {
    const Event& v = g[e];
    std::int64_t object = v.op == kFreeOp ? v.other : number_of(memory_[v.loc].pointer);
    std::int32_t end = g.end_of(object);
    if (end < 0 || end == e) return {};
    return {v.op == kFreeOp ? Bug::kTwiceFreed : Bug::kDangling, end};
  }

  Conflict newest(const Graph& g, std::int32_t e, const Clock* hb) const {
    const Event& v = g[e];
    if (v.op == kFreeOp) return freed(g, e, hb);
    std::int32_t found = -1;
    for (std::int32_t t = 0; t < g.threads; ++t) {
      if (t == v.thread || (v.order != kNa && g.all_atomic(v.loc))) continue;
      std::int32_t o = g.last_of(v.loc, t);
      while (o > found && !g.before(o, hb) && !may_race(v, g[o])) o = g[o].same;
      if (o > found && !g.before(o, hb)) found = o;
    }
    if (found >= 0) return {Bug::kRace, found};
    return known(v, hb) ? Conflict{} : Conflict{Bug::kUnknown, -1};
  }

  // Whether an access comes after another one and sees it. Program order, starts and joins show it in every model.
  bool sees(const Graph& g, std::int32_t level, std::int32_t e, std::int32_t other) const {
    return g.before(other, seen_ ? levels_[level](g, e) : own_[level](g, e));
  }

  bool ordered(const Graph& g, std::int32_t level, std::int32_t o, std::int32_t e) {
    return file_ != nullptr ? file_->ordered(g, o, e) : g.before(o, levels_[level](g, e));
  }

  // The accesses of other widths must be ordered. If they are not, and all are atomic, no model says what they mean.
  Conflict overlapping(const Graph& g, std::int32_t level, std::int32_t e) {
    const Event& v = g[e];
    for (std::int32_t loc : memory_.rivals(v.loc)) {
      if (loc == v.loc || !overlap(memory_[loc], memory_[v.loc])) continue;
      for (std::int32_t o = g.last_at(loc); o >= 0; o = g[o].at) {
        if ((!v.writes() && !g[o].writes()) || sees(g, level, e, o)) continue;
        return {may_race(v, g[o]) && !ordered(g, level, o, e) ? Bug::kRace : Bug::kMixedWidth, o};
      }
    }
    return {};
  }

  // Whether the object was allocated before the access.
  bool known(const Event& v, const Clock* hb) const {
    const Extent& object = memory_.object(number_of(memory_[v.loc].pointer));
    return object.thread < 0 || object.thread == v.thread || sync_ == Sync::kNone || hb[object.thread] > object.events;
  }

  // Every access of the object must have happened before.
  Conflict freed(const Graph& g, std::int32_t e, const Clock* hb) const {
    std::int32_t first = -1;
    for (std::int32_t loc : memory_.places_of(g[e].other))
      for (std::int32_t t = 0; t < g.threads; ++t)
        for (std::int32_t o = g.last_of(loc, t); o >= 0 && !g.before(o, hb); o = g[o].same)
          if (first < 0 || o < first) first = o;
    return first >= 0 ? Conflict{Bug::kDangling, first} : Conflict{};
  }

  const MemoryMap& memory_;
  bool wanted_;
  Sync sync_;
  bool seen_;
  std::unique_ptr<FileRaces> file_;
  std::vector<std::int32_t> set_;  // level -> how many arrivals have clocks
  std::vector<Views> levels_;
  std::vector<Views> own_;  // if not all that happens before is seen: without what reads synchronise
};

}  // namespace porf::explore
