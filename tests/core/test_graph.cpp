// Graphs: topological orders built at once and kept up to date, against plain reachability.
#include <doctest/doctest.h>

#include <vector>

#include "coherence/incremental_order.hpp"
#include "generate/random.hpp"
#include "graph/edge_graph.hpp"

using porf::EdgeGraph;
using porf::Ints;
using porf::Large;
using porf::coherence::IncrementalOrder;

namespace {

struct Reachability {
  std::int32_t n;
  std::vector<std::vector<bool>> to;

  explicit Reachability(std::int32_t nodes) : n(nodes), to(nodes, std::vector<bool>(nodes)) {}
  void add(std::int32_t a, std::int32_t b) {
    for (std::int32_t i = 0; i < n; ++i)
      for (std::int32_t j = 0; j < n; ++j)
        if ((i == a || to[i][a]) && (j == b || to[b][j])) to[i][j] = true;
  }
};

}  // namespace

TEST_CASE("an order respects every edge; a cycle is shown by its nodes") {
  porf::generate::Random random(3);
  int cyclic = 0;
  for (int round = 0; round < 300; ++round) {
    const auto n = static_cast<std::int32_t>(1 + random.below(12));
    Large<EdgeGraph::Edge> edges;
    Reachability reach(n);
    for (std::uint32_t i = random.below(14); i-- > 0;) {
      const auto a = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(n)));
      const auto b = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(n)));
      edges.emplace_back(a, b);
      reach.add(a, b);
    }
    bool loop = false;
    for (std::int32_t i = 0; i < n; ++i) loop = loop || reach.to[i][i];
    const EdgeGraph graph(n, edges);
    CHECK(graph.acyclic() == !loop);
    if (graph.acyclic()) {
      std::vector<std::int32_t> place(n, -1);
      for (std::size_t i = 0; i < graph.order().size(); ++i) place[graph.order()[i]] = static_cast<std::int32_t>(i);
      for (auto [a, b] : edges) CHECK(place[a] < place[b]);
    } else {
      ++cyclic;
      const Ints cycle = graph.short_cycle();
      REQUIRE_FALSE(cycle.empty());
      for (std::size_t i = 0; i < cycle.size(); ++i) {
        const EdgeGraph::Edge edge{cycle[i], cycle[(i + 1) % cycle.size()]};
        CHECK(std::find(edges.begin(), edges.end(), edge) != edges.end());
      }
    }
  }
  CHECK(cyclic > 50);
  CHECK(cyclic < 250);
}

TEST_CASE("a shortest cycle is found among longer ones") {
  Large<EdgeGraph::Edge> edges;
  for (std::int32_t i = 0; i < 50; ++i) edges.emplace_back(i, (i + 1) % 50);
  edges.emplace_back(20, 18);
  CHECK(EdgeGraph(50, edges).short_cycle().size() == 3);
}

TEST_CASE("edges one at a time: refused exactly where they close a cycle") {
  porf::generate::Random random(4);
  for (int round = 0; round < 100; ++round) {
    const std::int32_t n = 10;
    IncrementalOrder order;
    order.grow(n);
    Reachability reach(n);
    for (int i = 0; i < 40; ++i) {
      const auto a = static_cast<std::int32_t>(random.below(n)), b = static_cast<std::int32_t>(random.below(n));
      const bool closes = a == b || reach.to[b][a];
      REQUIRE(order.add(a, b) == !closes);
      if (!closes) reach.add(a, b);
    }
    for (std::int32_t v = 0; v < n; ++v) {
      std::vector<bool> above(n);
      order.ancestors(Ints{v}, [&](std::int32_t u) { above[u] = true; });
      for (std::int32_t u = 0; u < n; ++u) CHECK(above[u] == reach.to[u][v]);
    }
  }
}

TEST_CASE("nodes can come later than edges") {
  IncrementalOrder order;
  order.grow(2);
  CHECK(order.add(1, 0));
  order.grow(3);
  CHECK(order.add(2, 1));
  CHECK_FALSE(order.add(0, 2));
}
