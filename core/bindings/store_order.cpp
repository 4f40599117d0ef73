// Store-order models, for Python: the built-in ones by their name, any other by the edges of its graphs.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <tuple>
#include <vector>

#include "bindings.hpp"
#include "store_order/constraints.hpp"
#include "store_order/subsets.hpp"

namespace porf::bindings {
namespace {

using store_order::Graph;
using store_order::Model;
using store_order::Result;

using Edges = std::tuple<Column<std::int32_t>, Column<std::int32_t>>;

Graph graph_of(const Edges& columns, std::int32_t events) {
  const auto& [from, to] = columns;
  if (from.shape(0) != to.shape(0))
    throw std::invalid_argument("edges: two columns of one length are needed");
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

}  // namespace

void bind_store_order(nb::module_& m) {
  m.attr("TABLE_WRITES") = store_order::kTableWrites;
  nb::enum_<Model>(m, "StoreOrderModel", "The models that one total order of all writes decides.")
      .value("SC", Model::kSc)
      .value("TSO", Model::kTso)
      .value("PSO", Model::kPso)
      .value("RMO", Model::kRmo);
  nb::class_<Result> result(m, "StoreOrder");
  result.def(
            "__init__", [](Result* self, Answer answer) { new (self) Result{.answer = answer}; }, "answer"_a)
      .def_ro("answer", &Result::answer)
      .def_ro("limit", &Result::limit)
      .def_ro("subsets", &Result::subsets)
      .def_ro("pairs", &Result::pairs)
      .def_ro("ordered", &Result::ordered);
  def_column(result, "order", &Result::order);
  m.def(
      "decide_store_order",
      [](Model model, const HeldExecution& execution, bool forced, Budget& budget) {
        return decided(budget, [&] {
          return store_order::decide(execution, store_order::graphs_of(execution, model), forced, budget);
        });
      },
      "model"_a, "execution"_a, "forced"_a, "budget"_a);
  m.def(
      "forced_order",
      [](Model model, const HeldExecution& execution) {
        Budget budget = make_budget();
        return unlocked([&] {
          const std::vector<Graph> graphs = store_order::graphs_of(execution, model);
          const store_order::Constraints constraints(execution, graphs, true, budget);
          std::vector<std::tuple<std::int32_t, std::int32_t>> pairs;
          for (auto [before, after] : constraints.nearest_pairs()) pairs.emplace_back(before, after);
          return pairs;
        });
      },
      "model"_a, "execution"_a, "The pairs (before, after) of writes of a location that the reads force.");
  m.def(
      "decide_acyclic_graphs",
      [](const HeldExecution& execution, const std::vector<Edges>& graphs, bool forced, Budget& budget) {
        std::vector<Graph> made;
        for (const Edges& edges : graphs) made.push_back(graph_of(edges, execution.size()));
        return decided(budget, [&] { return store_order::decide(execution, made, forced, budget); });
      },
      "execution"_a, "graphs"_a, "forced"_a, "budget"_a,
      "Each graph is given by its edges (from rows, to rows).");
}

}  // namespace porf::bindings
