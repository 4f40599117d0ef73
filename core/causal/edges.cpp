// Program order as steps: along a thread, along its writes and its reads, or along its accesses of a location.
#include "causal/edges.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace porf::causal {
namespace {

void steps_of_po(const Execution& x, Large<Edge>& edges) {
  Ints last(x.threads, -1);
  for (std::int32_t e = 0; e < x.size(); ++e) {
    std::int32_t before = std::exchange(last[x.thread[e]], e);
    if (before >= 0) edges.push_back({before, e, Kind::kPo, Keeps::kPo});
  }
}

// Reads follow reads; writes follow both.
void steps_of_ppo(const Execution& x, Large<Edge>& edges) {
  Ints last_read(x.threads, -1), last_write(x.threads, -1);
  for (std::int32_t e = 0; e < x.size(); ++e) {
    std::int32_t t = x.thread[e];
    if (last_read[t] >= 0) edges.push_back({last_read[t], e, Kind::kPo, Keeps::kPpo});
    if (x.writes(e) && last_write[t] >= 0) edges.push_back({last_write[t], e, Kind::kPo, Keeps::kPpo});
    (x.writes(e) ? last_write : last_read)[t] = e;
  }
}

void steps_of_po_loc(const Execution& x, Large<Edge>& edges) {
  Ints rows(x.size());
  std::iota(rows.begin(), rows.end(), 0);
  auto where = [&](std::int32_t e) { return std::pair(x.loc[e], x.thread[e]); };
  std::stable_sort(rows.begin(), rows.end(), [&](std::int32_t a, std::int32_t b) { return where(a) < where(b); });
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (where(rows[i - 1]) == where(rows[i])) edges.push_back({rows[i - 1], rows[i], Kind::kPo, Keeps::kPoLoc});
}

}  // namespace

Large<Edge> causal_steps(const Execution& x, Keeps keeps) {
  Large<Edge> edges;
  edges.reserve(2 * static_cast<std::size_t>(x.size()));
  if (keeps == Keeps::kPo) steps_of_po(x, edges);
  if (keeps == Keeps::kPpo) steps_of_ppo(x, edges);
  if (keeps == Keeps::kPoLoc) steps_of_po_loc(x, edges);
  for (std::int32_t e = 0; e < x.size(); ++e) {
    if (!x.reads(e) || x.rf[e] < 0) continue;
    if (keeps == Keeps::kPo || x.thread[x.rf[e]] != x.thread[e]) edges.push_back({x.rf[e], e, Kind::kRf, keeps});
  }
  return edges;
}

Ints write_index(const Execution& x) {
  Ints index(x.size(), 0), count(x.threads, 0);
  for (std::int32_t e = 0; e < x.size(); ++e)
    if (x.writes(e)) index[e] = ++count[x.thread[e]];
  return index;
}

}  // namespace porf::causal
