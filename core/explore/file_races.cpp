#include "explore/file_races.hpp"

namespace porf::explore {

// An access of an object that another thread has allocated.
bool FileRaces::is_strange(const Event& v) const {
  const Extent& object = memory_.object(object_of(v));
  return object.thread >= 0 && object.thread != v.thread;
}

// Whether it matters what happens before the event.
bool FileRaces::suspicious(const Graph& g, std::int32_t e) const {
  const Event& v = g[e];
  if (v.op == kFreeOp || is_strange(v)) return true;
  for (std::int32_t o = g.last_at(v.loc); o >= 0; o = g[o].at)
    if (g[o].thread != v.thread && may_race(v, g[o])) return true;
  return false;
}

Conflict FileRaces::newest(const Graph& g, std::int32_t e) {
  if (late_ || !suspicious(g, e)) return {};
  evaluation_.load(g);
  evaluation_.relate(nullptr);
  return conflict(g, e);
}

bool FileRaces::ordered(const Graph& g, std::int32_t a, std::int32_t b) {
  if (late_) return true;
  evaluation_.load(g);
  evaluation_.relate(nullptr);
  return evaluation_.orders_conflict(a, b);
}

std::pair<std::int32_t, Conflict> FileRaces::any(const Graph& g, const std::vector<WriteOrder>& orders) {
  evaluation_.load(g);
  for (std::size_t n = 0; n < (uses_mo_ ? orders.size() : 1); ++n) {
    Witness witness(static_cast<std::size_t>(memory_.size()));
    if (uses_mo_)
      for (std::int32_t w : orders[n]) witness[static_cast<std::size_t>(g[w].loc)].push_back(w);
    evaluation_.relate(uses_mo_ ? &witness : nullptr);
    for (std::int32_t e : g.arrival) {
      Conflict found = conflict(g, e);
      if (found.bug != Bug::kNone) return {e, found};
    }
  }
  return {-1, {}};
}

Conflict FileRaces::conflict(const Graph& g, std::int32_t e) const {
  const Event& v = g[e];
  if (v.op == kFreeOp) return freed(g, e);
  if (v.loc < 0) return {};
  for (std::int32_t o = g.last_at(v.loc); o >= 0; o = g[o].at)
    if (g[o].thread != v.thread && may_race(v, g[o]) && !evaluation_.orders_conflict(o, e)) return {Bug::kRace, o};
  return known(g, e) ? Conflict{} : Conflict{Bug::kUnknown, -1};
}

// The end of an object is no event of the file's: what happens before the event that precedes it, does before it, too.
Conflict FileRaces::freed(const Graph& g, std::int32_t e) const {
  const std::int32_t before = shown(g, g.predecessor(e));
  for (std::int32_t o = 0; o < g.size(); ++o) {
    const Event& v = g[o];
    if (v.loc < 0 || v.thread == g[e].thread || object_of(v) != g[e].other || o == before) continue;
    if (before < 0 || !evaluation_.leads(o, before)) return {Bug::kDangling, o};
  }
  return {};
}

// Whether something that a thread did after it had allocated the object happens before the access.
bool FileRaces::known(const Graph& g, std::int32_t e) const {
  if (!is_strange(g[e])) return true;
  const Extent& object = memory_.object(object_of(g[e]));
  for (std::int32_t o = g.last[object.thread]; o >= 0 && g[o].index >= object.events; o = g[o].prev)
    if (!is_hidden(g[o]) && evaluation_.leads(o, e)) return true;
  return false;
}

}  // namespace porf::explore
