// Store-order models, for Python: the built-in ones by their number, any other by the edges of its graphs.
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <vector>

#include "bindings.hpp"
#include "store_order/constraints.hpp"
#include "store_order/subsets.hpp"

namespace porf::bindings {
namespace {

using store_order::Graph;

Large<EdgeGraph::Edge> edges_of(const Column<std::int32_t>& from, const Column<std::int32_t>& to,
                                std::int32_t events) {
  if (from.shape(0) != to.shape(0))
    throw std::invalid_argument("edges: two columns of one length are needed");
  Large<EdgeGraph::Edge> edges;
  edges.reserve(from.shape(0));
  for (std::size_t i = 0; i < from.shape(0); ++i) {
    std::int32_t a = from.data()[i], b = to.data()[i];
    if (a < 0 || b < 0 || a >= events || b >= events)
      throw std::invalid_argument("an edge names a row that does not exist");
    edges.emplace_back(a, b);
  }
  return edges;
}

nb::dict decided(const Execution& x, const std::vector<Graph>& graphs, bool forced, Budget& budget) {
  store_order::Result result;
  {
    nb::gil_scoped_release free;
    result = store_order::decide(x, graphs, forced, budget);
  }
  nb::dict out;
  out["answer"] = static_cast<int>(result.answer);
  out["order"] = to_numpy(std::move(result.order));
  out["subsets"] = result.subsets;
  out["pairs"] = result.pairs;
  out["ordered"] = result.ordered;
  out["limit"] = static_cast<int>(budget.limit());
  return out;
}

}  // namespace

void bind_store_order(nb::module_& m) {
  m.attr("TABLE_WRITES") = store_order::kTableWrites;
  m.def(
      "decide_store_order",
      [](int model, Column<std::int32_t> thread, Column<std::uint8_t> op, Column<std::int32_t> loc,
         Column<std::uint8_t> order, Column<std::int32_t> rf, std::int32_t threads, std::int32_t locations,
         Column<std::int32_t> from, Column<std::int32_t> to, bool forced, double seconds, std::uint64_t steps,
         std::uint64_t bytes, nb::object progress) {
        Execution x = execution_of(thread, op, loc, order, rf, threads, locations);
        Budget budget = make_budget(seconds, steps, bytes, std::move(progress));
        Large<EdgeGraph::Edge> dependencies = edges_of(from, to, x.size());
        return decided(x, store_order::graphs_of(x, static_cast<store_order::Model>(model), dependencies),
                       forced, budget);
      },
      nb::arg("model"), nb::arg("thread"), nb::arg("op"), nb::arg("loc"), nb::arg("order"), nb::arg("rf"),
      nb::arg("threads"), nb::arg("locations"), nb::arg("dependency_from"), nb::arg("dependency_to"),
      nb::arg("forced"), nb::arg("seconds") = 0.0, nb::arg("steps") = 0, nb::arg("bytes") = 0,
      nb::arg("progress").none() = nb::none());
  m.def(
      "forced_order",
      [](int model, Column<std::int32_t> thread, Column<std::uint8_t> op, Column<std::int32_t> loc,
         Column<std::uint8_t> order, Column<std::int32_t> rf, std::int32_t threads, std::int32_t locations,
         Column<std::int32_t> from, Column<std::int32_t> to) {
        Execution x = execution_of(thread, op, loc, order, rf, threads, locations);
        Budget budget = make_budget(0, 0, 0, nb::none());
        Large<EdgeGraph::Edge> dependencies = edges_of(from, to, x.size());
        std::vector<Graph> graphs =
            store_order::graphs_of(x, static_cast<store_order::Model>(model), dependencies);
        Ints before, after;
        {
          nb::gil_scoped_release free;
          store_order::Constraints constraints(x, graphs, true, budget);
          for (auto [a, b] : constraints.nearest_pairs()) {
            before.push_back(a);
            after.push_back(b);
          }
        }
        return nb::make_tuple(to_numpy(std::move(before)), to_numpy(std::move(after)));
      },
      nb::arg("model"), nb::arg("thread"), nb::arg("op"), nb::arg("loc"), nb::arg("order"), nb::arg("rf"),
      nb::arg("threads"), nb::arg("locations"), nb::arg("dependency_from"), nb::arg("dependency_to"));
  m.def(
      "decide_acyclic_graphs",
      [](Column<std::int32_t> thread, Column<std::uint8_t> op, Column<std::int32_t> loc,
         Column<std::uint8_t> order, Column<std::int32_t> rf, std::int32_t threads, std::int32_t locations,
         const std::vector<Column<std::int32_t>>& from, const std::vector<Column<std::int32_t>>& to,
         const std::vector<bool>& ordered, bool forced, double seconds, std::uint64_t steps,
         std::uint64_t bytes, nb::object progress) {
        Execution x = execution_of(thread, op, loc, order, rf, threads, locations);
        Budget budget = make_budget(seconds, steps, bytes, std::move(progress));
        if (from.size() != to.size() || from.size() != ordered.size())
          throw std::invalid_argument("graphs: columns of one length are needed");
        std::vector<Graph> graphs;
        for (std::size_t g = 0; g < from.size(); ++g)
          graphs.push_back({edges_of(from[g], to[g], x.size()), ordered[g]});
        return decided(x, graphs, forced, budget);
      },
      nb::arg("thread"), nb::arg("op"), nb::arg("loc"), nb::arg("order"), nb::arg("rf"), nb::arg("threads"),
      nb::arg("locations"), nb::arg("edges_from"), nb::arg("edges_to"), nb::arg("ordered"), nb::arg("forced"),
      nb::arg("seconds") = 0.0, nb::arg("steps") = 0, nb::arg("bytes") = 0,
      nb::arg("progress").none() = nb::none());
}

}  // namespace porf::bindings
