// Relaxed, RC20 and RA: scan, then order the chains (Algorithms 3 and 4 of Tunç et al. 2023, with the
// corrections in docs/errata.md).
#include "coherence/check.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "coherence/chain_order.hpp"
#include "coherence/location_cycle.hpp"
#include "coherence/schedule.hpp"
#include "kernel.hpp"

namespace porf::coherence {
namespace {

constexpr std::int32_t kAhead = 12;  // events between a prefetch and its use

Ints count_readers(const Execution& x) {
  Ints readers(x.size(), 0);
  for (std::int32_t e = 0; e < x.size(); ++e)
    if (x.reads(e) && x.rf[e] >= 0) ++readers[x.rf[e]];
  return readers;
}

template <Sync S>
Scan<S> new_scan(const Execution& x) {
  Scan<S> scan(x.threads, x.locations, x.size());
  if constexpr (S != Sync::kPoOnly) scan.count_readers(count_readers(x));
  return scan;
}

// Counts each location's writes; where the next one of each goes.
Large<std::int64_t> lay_out(const Execution& x, Result& result) {
  result.mo_start.assign(static_cast<std::size_t>(x.locations) + 1, 0);
  for (std::int32_t e = 0; e < x.size(); ++e)
    if (x.writes(e)) ++result.mo_start[x.loc[e] + 1];
  for (std::int32_t loc = 0; loc < x.locations; ++loc) result.mo_start[loc + 1] += result.mo_start[loc];
  result.mo.resize(result.mo_start.back());
  return {result.mo_start.begin(), result.mo_start.end() - 1};
}

// Chains in the given order, each from its top through its updates; the initial write's chain comes first.
void order_of_chains(const Execution& x, const Ints& tops, const Ints& order, Result& result) {
  Ints next(x.size(), kNone), initial_next(x.locations, kNone);
  Large<std::int64_t> fill = lay_out(x, result);
  for (std::int32_t e = 0; e < x.size(); ++e)
    if (x.op[e] == kUpdate) (x.rf[e] < 0 ? initial_next[x.loc[e]] : next[x.rf[e]]) = e;
  for (std::int32_t loc = 0; loc < x.locations; ++loc)
    for (std::int32_t w = initial_next[loc]; w != kNone; w = next[w]) result.mo[fill[loc]++] = w;
  for (std::int32_t chain : order) {
    std::int32_t top = tops[chain];
    for (std::int32_t w = top; w != kNone; w = next[w]) result.mo[fill[x.loc[top]]++] = w;
  }
}

// Scans again, keeping what the accesses of the cycle's location had seen.
template <Sync S>
std::vector<GroundedEdge> explain_cycle(const Execution& x, const Schedule& schedule, const Ints& chains) {
  Scan<S> scan = new_scan<S>(x);
  // Which location it is shows when the first of the chains gets its top; accesses before that cannot matter.
  std::optional<LocationCycle> location;
  Ints clock;
  for (std::int32_t step = 0; step < x.size(); ++step) {
    std::int32_t e = schedule.at(step);
    scan.step(x, schedule.index, e, [](std::int32_t, std::int32_t, std::int32_t, std::int32_t) {});
    if (x.op[e] == kFence) continue;
    std::int32_t value = x.writes(e) ? e : x.rf[e];
    std::int32_t chain = scan.chains().chain_of(value, x.loc[e]);
    if (!location && std::find(chains.begin(), chains.end(), chain) != chains.end())
      location.emplace(x.loc[e], x.threads);
    if (!location || location->location() != x.loc[e]) continue;
    scan.copy_clock(x, schedule.index, e, clock);
    location->add(e, x.thread[e], schedule.index[e], chain, clock);
  }
  return location->find(chains);
}

template <Sync S>
Result check(const Execution& x, Budget& budget) {
  Result result;
  Schedule schedule = make_schedule(x, budget);
  if (!schedule.cycle.empty()) return broken_by(std::move(schedule));
  Large<EdgeGraph::Edge> edges;
  Ints tops;
  const std::uint64_t base_bytes = Scan<S>::bytes_for(x.threads);
  if (budget.hold(base_bytes)) {
    Scan<S> scan = new_scan<S>(x);
    Toil toil;
    for (std::int32_t step = 0; step < x.size() && !budget.spent(); ++step) {
      std::int32_t e = schedule.at(step);
      if (step + kAhead < x.size()) scan.prefetch(x, schedule.index, schedule.at(step + kAhead));
      result.breach =
          scan.step(x, schedule.index, e, [&](std::int32_t from, std::int32_t to, std::int32_t, std::int32_t) {
            if (edges.empty() || edges.back() != EdgeGraph::Edge{from, to}) edges.emplace_back(from, to);
          });
      if (result.breach != Breach::kFine) {
        result.answer = Answer::kInconsistent;
        result.access = scan.witness_access();
        result.event = e;
        return result;
      }
      budget.spend();
      toil.demand(8 + static_cast<std::uint64_t>(x.threads));
      if ((step & 0xfff) == 0) budget.hold(base_bytes + scan.bytes() + edges.capacity() * sizeof(EdgeGraph::Edge));
    }
    tops = scan.chains().top;
  }
  if (budget.spent()) {
    result.answer = Answer::kUndecided;
    return result;
  }
  ChainOrder chains(x, tops, std::move(edges));
  if (chains.acyclic()) {
    order_of_chains(x, tops, chains.order(), result);
    return result;
  }
  result.answer = Answer::kInconsistent;
  result.breach = Breach::kCycle;
  result.cycle = explain_cycle<S>(x, schedule, chains.short_cycle());
  return result;
}

}  // namespace

Result broken_by(Schedule&& schedule) {
  Result result;
  result.answer = Answer::kInconsistent;
  result.breach = Breach::kPoRf;
  result.po_rf = std::move(schedule.cycle);
  return result;
}

void order_of_writes(const Execution& x, const Ints& rows, Result& result) {
  Large<std::int64_t> fill = lay_out(x, result);
  for (std::int32_t step = 0; step < x.size(); ++step) {
    std::int32_t e = rows.empty() ? step : rows[step];
    if (x.writes(e)) result.mo[fill[x.loc[e]]++] = e;
  }
}

Result check_coherence(const Execution& x, Sync sync, Budget& budget) {
  switch (sync) {
    case Sync::kPoOnly:
      return check<Sync::kPoOnly>(x, budget);
    case Sync::kOrders:
      return check<Sync::kOrders>(x, budget);
    case Sync::kAll:
      break;
  }
  return check<Sync::kAll>(x, budget);
}

namespace {

template <Sync S>
Result by_sync(const Execution& x, Budget& budget) {
  return check_coherence(x, S, budget);
}

const Kernel relaxed("relaxed", &by_sync<Sync::kPoOnly>);
const Kernel rc20("rc20", &by_sync<Sync::kOrders>);
const Kernel ra("ra", &by_sync<Sync::kAll>);

}  // namespace

}  // namespace porf::coherence
