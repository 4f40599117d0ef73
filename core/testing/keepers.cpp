#include "testing/keepers.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace porf::testing {

using explore::Event;
using explore::Graph;
using explore::Next;

void keep_for_machine(const Graph& g, std::int32_t recent, std::vector<char>& kept) {
  auto mark = [&](std::int32_t e) {
    if (e >= 0) kept[static_cast<std::size_t>(e)] = 1;
  };
  for (std::int32_t t = 0; t < g.stride; ++t) {
    std::int32_t left = recent;
    for (std::int32_t e = g.last[t]; e >= 0 && left > 0; e = g[e].prev, --left) {
      mark(e);
      if (g[e].rf >= 0) mark(g[e].rf);  // for people
    }
  }
  std::set<std::pair<std::int32_t, std::int32_t>> met;
  for (std::int32_t e = g.size() - 1; e >= 0; --e) {
    const Event& v = g[e];
    if (v.op == explore::kSpawnOp || v.op == explore::kJoinOp || v.op == explore::kFreeOp) mark(e);
    if (v.op == explore::kBarrierOp && met.insert({v.thread, v.other}).second) {
      mark(e);
      mark(v.prev);
    }
  }
}

void restrict_to_kept(Graph& g, const std::vector<char>& kept, std::vector<std::int32_t>& renamed) {
  Graph small(g.stride, g.slots);
  small.exists = g.exists;
  small.begin_pending = g.begin_pending;
  small.begin_state = g.begin_state;
  small.forgotten = g.forgotten;
  renamed.assign(static_cast<std::size_t>(g.size()), -1);
  auto name = [&](std::int32_t e) { return e >= 0 ? renamed[static_cast<std::size_t>(e)] : e; };
  for (std::int32_t e = 0; e < g.size(); ++e) {
    if (!kept[static_cast<std::size_t>(e)]) {
      ++small.forgotten[g[e].thread];
      continue;
    }
    Event v = g[e];
    if (v.rf >= 0) v.rf = std::max(name(v.rf), kInitial);
    std::int32_t n = small.append(v);
    renamed[static_cast<std::size_t>(e)] = n;
    small.after[static_cast<std::size_t>(n)] = g.after[static_cast<std::size_t>(e)];
    Graph::copy_state(small.state_after(n), g.state_after(e));
    if (v.op == explore::kSpawnOp) small.begun_by[v.other] = n;
  }
  g = std::move(small);
}

Threads alive_in(const Graph& g) {
  Threads alive = 0;
  for (std::int32_t t = 0; t < std::min(g.stride, LiveChains::kMostThreads); ++t)
    if (g.exists[t] && g.pending(t).next != Next::kEnded) alive |= Threads{1} << t;
  return alive;
}

}  // namespace porf::testing
