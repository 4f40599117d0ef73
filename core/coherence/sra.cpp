// SRA: without updates by Algorithm 2 of seed 000; with updates by the frontier search of Theorem 1.3
// (frontier.hpp).
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "coherence/chain_graph.hpp"
#include "coherence/check.hpp"
#include "coherence/frontier.hpp"
#include "coherence/schedule.hpp"

namespace porf::coherence {
namespace {

// Edges of happens-before that generate it: to the next event of the thread, and from a write to its reader.
void add_base_edges(const Execution& x, std::vector<EdgeGraph::Edge>& edges) {
  std::vector<std::int32_t> last(x.threads, kNone);
  for (std::int32_t e = 0; e < x.size(); ++e) {
    std::int32_t& before = last[x.thread[e]];
    if (before != kNone) edges.emplace_back(before, e);
    before = e;
    if (x.reads(e) && x.rf[e] >= 0) edges.emplace_back(x.rf[e], e);
  }
}

bool has_updates(const Execution& x) { return std::find(x.op.begin(), x.op.end(), kUpdate) != x.op.end(); }

// Read-coherence forces v before w when v's value is seen before a read of w; with updates, before the top of
// w's chain.
std::vector<ForcedEdge> forced_edges(const Execution& x, const Schedule& schedule, Budget& budget) {
  std::vector<ForcedEdge> forced;
  Scan<Sync::kAll> scan(x.threads, x.locations, x.size());
  for (std::int32_t step = 0; step < x.size() && budget.spend(); ++step) {
    std::int32_t e = schedule.at(step);
    scan.step(x, schedule.index, e, [&](std::int32_t, std::int32_t to, std::int32_t a, std::int32_t) {
      if (x.op[e] != kWrite) forced.push_back({x.writes(a) ? a : x.rf[a], scan.chains().top[to], a, e});
    });
  }
  return forced;
}

}  // namespace

Result check_sra(const Execution& x, Budget& budget) {
  // SRA is stronger than RA: its violations are ours, and after it every chain is sound by itself.
  Result result = check_coherence(x, Sync::kAll, budget);
  if (result.answer != Answer::kConsistent) return result;
  result.mo.clear();
  Schedule schedule = make_schedule(x, budget);
  std::vector<ForcedEdge> forced = forced_edges(x, schedule, budget);
  std::vector<EdgeGraph::Edge> edges;
  for (const ForcedEdge& f : forced) edges.emplace_back(f.from, f.to);
  add_base_edges(x, edges);
  if (budget.spent()) {
    result.answer = Answer::kUndecided;
    return result;
  }
  EdgeGraph graph(x.size(), std::move(edges));
  if (!graph.acyclic()) {
    result.answer = Answer::kInconsistent;
    result.breach = Breach::kStrongCycle;
    std::vector<std::int32_t> nodes = graph.short_cycle();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      GroundedEdge edge{nodes[i], nodes[(i + 1) % nodes.size()], kNone, kNone};
      for (const ForcedEdge& f : forced)
        if (f.from == edge.from && f.to == edge.to) edge = {f.from, f.to, f.a, f.e};
      result.cycle.push_back(edge);
    }
    return result;
  }
  if (has_updates(x)) return search_frontiers(x, schedule, forced, graph.order(), budget);
  order_of_writes(x, graph.order(), result);
  return result;
}

}  // namespace porf::coherence
