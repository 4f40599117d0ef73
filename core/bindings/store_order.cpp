// Store-order models, for Python: the built-in ones by their name, any other by the edges of its graphs.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "record.hpp"
#include "store_order/constraints.hpp"
#include "store_order/subsets.hpp"

namespace porf::bindings {
namespace {

using store_order::Graph;
using store_order::Model;
using store_order::Result;

using Edges = std::pair<Column<std::int32_t>, Column<std::int32_t>>;

Graph graph_of(const Edges& columns, std::int32_t events) {
  const auto& [from, to] = columns;
  if (from.shape(0) != to.shape(0)) throw std::invalid_argument("edges: two columns of one length are needed");
  Graph graph;
  graph.edges.reserve(from.shape(0));
  for (std::size_t i = 0; i < from.shape(0); ++i) {
    std::int32_t a = from.data()[i], b = to.data()[i];
    if (a < 0 || b < 0 || a >= events || b >= events)
      throw std::invalid_argument("an edge names a row that does not exist");
    graph.edges.emplace_back(a, b);
  }
  return graph;
}

Result decide(const Execution& x, Model model, bool forced, Budget& budget) {
  return store_order::decide(x, store_order::graphs_of(x, model), forced, budget);
}

Result decide_acyclic_graphs(const Execution& x, const std::vector<Edges>& graphs, bool forced, Budget& budget) {
  std::vector<Graph> made;
  for (const Edges& edges : graphs) made.push_back(graph_of(edges, x.size()));
  return unlocked([&] { return store_order::decide(x, made, forced, budget); });
}

auto forced_order(const Execution& x, Model model) {
  Budget budget = make_budget();
  return unlocked([&] {
    const std::vector<Graph> graphs = store_order::graphs_of(x, model);
    auto pairs = store_order::Constraints(x, graphs, true, budget).nearest_pairs();
    if (budget.spent()) throw Spent{limit_of(budget)};
    return pairs;
  });
}

}  // namespace

void bind_store_order(nb::module_& m) {
  m.attr("TABLE_WRITES") = store_order::kTableWrites;
  enumeration<Model>(m, "StoreOrderModel", "The models that one total order of all writes decides.");
  view<Result>(m, "StoreOrder", "The answer and, if there is one, the order.", FIELD(Result, answer),
               FIELD(Result, limit), FIELD(Result, subsets), FIELD(Result, pairs), FIELD(Result, ordered),
               COLUMN(Result, order))
      .def("__init__", [](Result* self, Answer answer) { new (self) Result{.answer = answer}; }, "answer"_a);
  m.def("decide_store_order", decided(&decide), "execution"_a, "model"_a, "forced"_a, "budget"_a, Unlocked());
  m.def("forced_order", &forced_order, "execution"_a, "model"_a,
        "The pairs (before, after) of writes of a location that the reads force.");
  m.def("decide_acyclic_graphs", decided(&decide_acyclic_graphs), "execution"_a, "graphs"_a, "forced"_a, "budget"_a,
        "Each graph is given by its edges (from rows, to rows).");
}

}  // namespace porf::bindings
