// Data races: two accesses of a location, one of them a write and one of them not atomic, that happens-before
// does not order.
#pragma once

#include <vector>

#include "explore/graph.hpp"
#include "explore/views.hpp"

namespace porf::explore {

class Races {
 public:
  Races(bool wanted, Sync sync) : wanted_(wanted), sync_(sync) {}

  void clear(const Graph& g, std::int32_t level) {
    if (!wanted_) return;
    if (static_cast<std::size_t>(level) >= levels_.size())
      levels_.resize(static_cast<std::size_t>(level) + 1);
    for (std::int32_t e : g.arrival) levels_[level].set(g, e, sync_);
  }

  // The event was added last; an access that it races with, or -1.
  std::int32_t push(const Graph& g, std::int32_t level, std::int32_t e) {
    if (!wanted_) return -1;
    Views& views = levels_[level];
    views.set(g, e, sync_);
    const Event& v = g[e];
    if (v.loc < 0) return -1;
    const Clock* hb = views(g, e);
    for (std::int32_t o = g.last_at(v.loc); o >= 0; o = g[o].at) {
      if (o == e || g.before(o, hb)) continue;
      if ((v.order == kNa || g[o].order == kNa) && (v.writes() || g[o].writes())) return o;
    }
    return -1;
  }

 private:
  bool wanted_;
  Sync sync_;
  std::vector<Views> levels_;
};

}  // namespace porf::explore
