// Conflicts between two events of a run that only goes forward, as explore/races.hpp has them: data races, and accesses
// of memory that is freed. Of each thread and location the last access of each kind is enough: what does not happen
// after it does not happen after an earlier one either. So an access costs what there are threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "explore/conflict.hpp"
#include "explore/graph.hpp"
#include "explore/memory_map.hpp"
#include "testing/clocks.hpp"

namespace porf::testing {

class LastAccesses {
 public:
  LastAccesses(const explore::MemoryMap& memory, bool wanted, explore::Sync sync)
      : memory_(memory), wanted_(wanted), has_order_(sync != explore::Sync::kNone) {}

  void begin(const explore::Graph& g) {
    n_ = static_cast<std::size_t>(g.stride);
    last_.clear();
    is_plain_.clear();
  }

  // What is wrong with an event whose thread will have seen so much with it.
  explore::Conflict find(const explore::Graph& g, std::int32_t e, const Count* hb) const {
    if (!wanted_) return {};
    const explore::Event& v = g[e];
    if (v.loc < 0 && v.op != explore::kFreeOp) return {};
    if (!g.ended_by.empty()) {
      std::int64_t object = v.op == explore::kFreeOp ? v.other : explore::number_of(memory_[v.loc].pointer);
      std::int32_t end = g.end_of(object);
      if (end >= 0 && end != e)
        return {v.op == explore::kFreeOp ? explore::Bug::kTwiceFreed : explore::Bug::kDangling, end};
    }
    if (v.op == explore::kFreeOp) return freed(v, hb);
    if (std::int32_t other = race(v, hb); other >= 0) return {explore::Bug::kRace, other};
    const explore::Extent& object = memory_.object(explore::number_of(memory_[v.loc].pointer));
    bool known = object.thread < 0 || object.thread == v.thread || !has_order_ ||
                 hb[object.thread] > static_cast<Count>(object.events);
    return known ? explore::Conflict{} : explore::Conflict{explore::Bug::kUnknown, -1};
  }

  // The event stays.
  void take(const explore::Graph& g, std::int32_t e) {
    const explore::Event& v = g[e];
    if (!wanted_ || v.loc < 0) return;
    std::size_t place = static_cast<std::size_t>(v.loc) * n_ + static_cast<std::size_t>(v.thread);
    if (static_cast<std::size_t>(v.loc) >= is_plain_.size()) {
      is_plain_.resize(static_cast<std::size_t>(v.loc) + 1);
      last_.resize(is_plain_.size() * n_);
    }
    is_plain_[v.loc] |= v.order == kNa;
    Access last{e, static_cast<Count>(g.count_before(v))};
    if (v.reads()) last_[place][kind(false, v.order == kNa)] = last;
    if (v.writes()) last_[place][kind(true, v.order == kNa)] = last;
  }

  // Marks the events that later ones may conflict with.
  void keep(std::vector<char>& kept) const {
    for (const Kinds& kinds : last_)
      for (const Access& access : kinds)
        if (access.event >= 0) kept[static_cast<std::size_t>(access.event)] = 1;
  }
  void rename(const std::vector<std::int32_t>& renamed) {
    for (Kinds& kinds : last_)
      for (Access& access : kinds)
        if (access.event >= 0) access.event = renamed[static_cast<std::size_t>(access.event)];
  }

 private:
  struct Access {
    std::int32_t event = -1;
    Count index = 0;
  };
  using Kinds = std::array<Access, 4>;

  static std::size_t kind(bool writes, bool plain) { return (writes ? 2u : 0u) + (plain ? 1u : 0u); }

  std::int32_t race(const explore::Event& v, const Count* hb) const {
    if (static_cast<std::size_t>(v.loc) >= is_plain_.size()) return -1;
    bool plain = v.order == kNa;
    if (!plain && !is_plain_[v.loc]) return -1;
    std::int32_t found = -1;
    const Kinds* kinds = &last_[static_cast<std::size_t>(v.loc) * n_];
    for (std::size_t t = 0; t < n_; ++t) {
      if (t == static_cast<std::size_t>(v.thread)) continue;
      for (bool writes : {false, true})
        for (bool is_plain : {false, true}) {
          if ((!writes && !v.writes()) || (!plain && !is_plain)) continue;
          const Access& o = kinds[t][kind(writes, is_plain)];
          if (o.event > found && o.index >= hb[t]) found = o.event;
        }
    }
    return found;
  }

  // Every access of the object must have happened before.
  explore::Conflict freed(const explore::Event& v, const Count* hb) const {
    std::int32_t first = -1;
    for (std::int32_t loc : memory_.places_of(v.other)) {
      if (static_cast<std::size_t>(loc) >= is_plain_.size()) continue;
      for (std::size_t t = 0; t < n_; ++t)
        for (const Access& o : last_[static_cast<std::size_t>(loc) * n_ + t])
          if (o.event >= 0 && o.index >= hb[t] && (first < 0 || o.event < first)) first = o.event;
    }
    return first >= 0 ? explore::Conflict{explore::Bug::kDangling, first} : explore::Conflict{};
  }

  const explore::MemoryMap& memory_;
  bool wanted_, has_order_;
  std::size_t n_ = 0;
  std::vector<Kinds> last_;     // location, thread ->
  std::vector<char> is_plain_;  // location -> whether some access was not atomic
};

}  // namespace porf::testing
