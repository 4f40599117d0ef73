// Saturation by two rules, then the frontier search; on a cycle, the edges that matter with the paths they stand on.
#include "interleaving/global_order.hpp"

#include <optional>
#include <utility>

#include "graph/edge_graph.hpp"
#include "graph/explanation.hpp"
#include "graph/frontier_search.hpp"
#include "graph/global_clocks.hpp"
#include "interleaving/cells.hpp"
#include "interleaving/lines.hpp"
#include "interleaving/moments.hpp"
#include "interleaving/rules.hpp"

namespace porf::interleaving {
namespace {

Large<EdgeGraph::Edge> pairs_of(const Large<Derived>& edges) {
  Large<EdgeGraph::Edge> pairs;
  pairs.reserve(edges.size());
  for (const Derived& edge : edges) pairs.emplace_back(edge.from, edge.to);
  return pairs;
}

// What the derived edges stand on.
struct Grounds {
  const Execution& x;
  const Large<Derived>& edges;

  bool told(std::int32_t edge) const {
    return edges[edge].ground != Ground::kPo && edges[edge].ground != Ground::kTime;
  }
  bool usable(std::int32_t, std::int32_t) const { return true; }
  bool in_cycle(std::int32_t) const { return true; }
  std::optional<EdgeGraph::Edge> path(std::int32_t number) const {
    const Derived& edge = edges[number];
    if (edge.ground == Ground::kBefore) return EdgeGraph::Edge(edge.from, edge.read);
    if (edge.ground == Ground::kAfter && x.rf[edge.read] >= 0) return EdgeGraph::Edge(x.rf[edge.read], edge.to);
    return std::nullopt;
  }
};

void tell(const Execution& x, const Large<Derived>& edges, const Ints& nodes, Result& result) {
  Grounds grounds{x, edges};
  Explanation explanation(x.size(), edges, grounds);
  Explained told = explanation.explain(explanation.cycle_through(nodes));
  for (std::int32_t edge : told.edges) result.edges.push_back(edges[edge]);
  result.path_start = std::move(told.path_start);
  result.path = std::move(told.path);
  result.cycle = std::move(told.cycle);
}

// `real_time`: edges that are known beside those of lines; threads from `timed` on follow it alone.
Result check(const Execution& original, Memory memory, const Large<Derived>& real_time, std::int32_t timed,
             bool saturate, Budget& budget) {
  Result result;
  Lines lines(original, memory, timed);
  const Execution& x = lines.x;
  Large<Derived>& edges = lines.edges;
  edges.insert(edges.end(), real_time.begin(), real_time.end());
  if (lines.breach != Uniprocessor::kNone) {
    result.answer = Answer::kInconsistent;
    result.breach = lines.breach;
    result.read = lines.read;
    result.own = lines.own;
    return result;
  }
  Rules rules(x, lines.index);
  std::size_t rounds = 0;
  if (budget.spend(x.size()) && budget.hold(GlobalClocks::bytes_for(x))) {
    while (!budget.spent()) {
      EdgeGraph graph(x.size(), pairs_of(edges));
      if (!graph.acyclic()) {
        result.answer = Answer::kInconsistent;
        tell(x, edges, graph.short_cycle(), result);
        return result;
      }
      std::size_t before = edges.size();
      ++rounds;
      if (saturate)
        rules.extend(graph, edges, budget);
      else
        rules.learn(graph);
      if (edges.size() == before) {
        result.saturated = saturate;
        break;
      }
      budget.spend(x.size());
      budget.hold(GlobalClocks::bytes_for(x) + edges.capacity() * sizeof(Derived));
    }
  }
  result.answer = Answer::kUndecided;
  if (budget.spent()) {
    if (rounds > 0) rules.count(result);
    return result;
  }
  Cells cells(x, memory, rules.lists(), rules.clocks());
  FrontierSearch<Cells> search(x, lines.index, pairs_of(edges), cells);
  auto outcome = search.run(budget);
  result.states = search.states();
  if (outcome == FrontierSearch<Cells>::Outcome::kFound) {
    result.answer = Answer::kConsistent;
    result.order = search.trail();
  } else if (outcome == FrontierSearch<Cells>::Outcome::kExhausted) {
    result.answer = Answer::kInconsistent;
  } else {
    rules.count(result);
  }
  return result;
}

// In the rows of the original; moments keep their numbers.
void rename(const Ints& row, Result& result) {
  auto name = [&](std::int32_t e) { return e >= 0 && row[e] >= 0 ? row[e] : e; };
  for (Derived& edge : result.edges) edge = {name(edge.from), name(edge.to), edge.ground, name(edge.read)};
  result.read = name(result.read);
  result.own = name(result.own);
  Ints order;
  for (const std::int32_t e : result.order)
    if (row[e] >= 0) order.push_back(row[e]);
  result.order = std::move(order);
}

}  // namespace

Result check_global_order(const Execution& x, const Times& times, Memory memory, Time time, bool saturate,
                          Budget& budget) {
  if (time == Time::kIgnored || !times.known() || x.size() == 0)
    return check(x, memory, {}, x.threads, saturate, budget);
  const Moments moments(x, times, memory, time);
  const std::int32_t timed = time == Time::kAlone ? 0 : x.threads;
  Result result = check(moments.x, memory, moments.edges, timed, saturate, budget);
  rename(moments.row, result);
  return result;
}

}  // namespace porf::interleaving
