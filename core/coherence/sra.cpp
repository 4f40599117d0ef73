// SRA: without updates by Algorithm 2 of Tunç et al. 2023; with updates by the frontier search of Theorem 1.3
// (frontier.hpp).
#include <algorithm>
#include <utility>

#include "coherence/check.hpp"
#include "coherence/frontier.hpp"
#include "coherence/saturation.hpp"
#include "coherence/schedule.hpp"
#include "graph/edge_graph.hpp"
#include "kernel.hpp"

namespace porf::coherence {
namespace {

// Edges of happens-before that generate it: to the next event of the thread, and from a write to its reader.
void add_base_edges(const Execution& x, Large<EdgeGraph::Edge>& edges) {
  Ints last(x.threads, kNone);
  for (std::int32_t e = 0; e < x.size(); ++e) {
    std::int32_t& before = last[x.thread[e]];
    if (before != kNone) edges.emplace_back(before, e);
    before = e;
    if (x.reads(e) && x.rf[e] >= 0) edges.emplace_back(x.rf[e], e);
  }
}

bool has_updates(const Execution& x) { return std::find(x.op.begin(), x.op.end(), kUpdate) != x.op.end(); }

// What single accesses force (a scan), and the chains it found.
struct Forced {
  std::vector<GroundedEdge> edges;  // from a value to the top of the chain that must follow
  Chains chains;
};

Forced scan_forced(const Execution& x, const Schedule& schedule, Budget& budget) {
  Forced forced;
  Scan<Sync::kAll> scan(x.threads, x.locations, x.size());
  Toil toil;
  for (std::int32_t step = 0; step < x.size() && budget.spend(); ++step) {
    toil.demand(8 + static_cast<std::uint64_t>(x.threads));
    std::int32_t e = schedule.at(step);
    // What happens before a plain write precedes it in any case.
    scan.step(x, schedule.index, e, [&](std::int32_t, std::int32_t to, std::int32_t a, std::int32_t) {
      if (x.op[e] != kWrite) forced.edges.push_back({x.writes(a) ? a : x.rf[a], scan.chains().top[to], a, e});
    });
  }
  forced.chains = scan.chains();
  return forced;
}

void ground_cycle(const Ints& nodes, const std::vector<GroundedEdge>& forced, Result& result) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    GroundedEdge edge{nodes[i], nodes[(i + 1) % nodes.size()], kNone, kNone};
    for (const GroundedEdge& f : forced)
      if (f.from == edge.from && f.to == edge.to) edge = f;
    result.cycle.push_back(edge);
  }
}

}  // namespace

Result check_sra(const Execution& x, Budget& budget) {
  // SRA is stronger than RA: its violations are ours, and after it every chain is sound by itself.
  Result result = check_coherence(x, Sync::kAll, budget);
  if (result.answer != Answer::kConsistent) return result;
  result.mo.clear();
  Schedule schedule = make_schedule(x, budget);
  Forced forced = scan_forced(x, schedule, budget);
  Large<EdgeGraph::Edge> edges;
  for (const GroundedEdge& f : forced.edges) edges.emplace_back(f.from, f.to);
  add_base_edges(x, edges);
  if (budget.spent()) {
    result.answer = Answer::kUndecided;
    return result;
  }
  EdgeGraph graph(x.size(), edges);
  if (!graph.acyclic()) {
    result.answer = Answer::kInconsistent;
    result.breach = Breach::kStrongCycle;
    ground_cycle(graph.short_cycle(), forced.edges, result);
    return result;
  }
  if (!has_updates(x)) {
    order_of_writes(x, graph.order(), result);
    return result;
  }
  auto saturated = saturate(x, schedule, forced.chains, std::move(edges), budget);
  if (saturated) return search_frontiers(x, schedule, *saturated, budget);
  result.answer = budget.spent() ? Answer::kUndecided : Answer::kInconsistent;
  result.by_search = true;
  return result;
}

const Kernel kSra("sra", &check_sra);

}  // namespace porf::coherence
