#include "explore/weight.hpp"

#include <algorithm>
#include <numeric>

namespace porf::explore {

Part::Part(const Graph& g) : clock_(static_cast<std::size_t>(g.stride)) {
  for (std::int32_t t = 0; t < g.stride; ++t) clock_[t] = g.last[t] >= 0 ? g[g.last[t]].index + 1 : 0;
}

Part::Part(const Graph& g, std::int32_t e, std::int32_t other) : clock_(static_cast<std::size_t>(g.stride)) {
  for (std::int32_t end : {e, other})
    if (end >= 0) join_clock(clock_.data(), g.porf(end), clock_.size());
}

std::int32_t Part::events() const { return std::accumulate(clock_.begin(), clock_.end(), 0); }

Weight Part::weight(const Graph& g) const {
  Weight found{.events = events()};
  std::vector<std::vector<std::int32_t>> rows(clock_.size());  // by thread, in program order
  for (std::int32_t e = 0; e < g.size(); ++e)
    if (g.before(e, clock_.data())) rows[g[e].thread].push_back(e);
  for (auto& row : rows) std::sort(row.begin(), row.end(), [&](auto a, auto b) { return g[a].index < g[b].index; });
  std::vector<std::size_t> next(rows.size());
  std::vector<bool> done(static_cast<std::size_t>(g.size()));
  std::vector<std::int32_t> newest(g.at.size(), kInitial);
  auto missing = [&](std::int32_t e) { return e >= 0 && g.before(e, clock_.data()) && !done[e]; };
  auto ready = [&](std::int32_t t) {
    if (next[t] == rows[t].size()) return false;
    const Event& v = g[rows[t][next[t]]];
    bool waits = missing(g.predecessor(v)) || missing(v.rf);
    g.each_awaited(v, [&](std::int32_t awaited) { waits |= missing(awaited); });
    return !waits;
  };
  std::int32_t left = found.events;
  for (std::int32_t on = -1; left > 0;) {
    std::int32_t t = 0;
    while (t < g.stride && !ready(t)) ++t;
    if (t == g.stride) break;  // program order and reads-from form a cycle
    found.switches += on >= 0;
    for (on = t; ready(t); --left) {
      std::int32_t e = rows[t][next[t]++];
      const Event& v = g[e];
      done[e] = true;
      if (v.reads()) found.stale += v.rf != newest[v.loc];
      if (v.writes()) newest[v.loc] = e;
    }
  }
  return found;
}

}  // namespace porf::explore
