// SC and interleavings, for Python.
#include "bindings.hpp"
#include "interleaving/global_order.hpp"
#include "interleaving/replay.hpp"

namespace porf::bindings {
namespace {

nb::dict to_dict(interleaving::Result&& result, Limit limit) {
  Ints edges;
  for (const interleaving::Derived& edge : result.edges)
    edges.insert(edges.end(), {edge.from, edge.to, static_cast<std::int32_t>(edge.ground), edge.read});
  nb::dict out;
  out["answer"] = static_cast<int>(result.answer);
  out["order"] = to_numpy(std::move(result.order));
  out["edges"] = to_numpy(std::move(edges));
  out["path_start"] = to_numpy(std::move(result.path_start));
  out["path"] = to_numpy(std::move(result.path));
  out["cycle"] = to_numpy(std::move(result.cycle));
  out["breach"] = static_cast<int>(result.breach);
  out["read"] = result.read;
  out["own"] = result.own;
  out["states"] = result.states;
  out["saturated"] = result.saturated;
  out["pairs"] = result.pairs;
  out["ordered"] = result.ordered;
  out["limit"] = static_cast<int>(limit);
  return out;
}

}  // namespace

void bind_interleaving(nb::module_& m) {
  m.def(
      "check_global_order",
      [](int memory, Column<std::int32_t> thread, Column<std::uint8_t> op, Column<std::int32_t> loc,
         Column<std::uint8_t> order, Column<std::int32_t> rf, std::int32_t threads, std::int32_t locations,
         bool saturate, double seconds, std::uint64_t steps, std::uint64_t bytes, nb::object progress) {
        Execution x = execution_of(thread, op, loc, order, rf, threads, locations);
        Budget budget = make_budget(seconds, steps, bytes, std::move(progress));
        interleaving::Result result;
        {
          nb::gil_scoped_release free;
          result = interleaving::check_global_order(x, static_cast<interleaving::Memory>(memory), saturate,
                                                    budget);
        }
        return to_dict(std::move(result), budget.limit());
      },
      nb::arg("memory"), nb::arg("thread"), nb::arg("op"), nb::arg("loc"), nb::arg("order"), nb::arg("rf"),
      nb::arg("threads"), nb::arg("locations"), nb::arg("saturate") = true, nb::arg("seconds") = 0.0,
      nb::arg("steps") = 0, nb::arg("bytes") = 0, nb::arg("progress").none() = nb::none());

  m.def(
      "row_order_is_sequential",
      [](Column<std::int32_t> thread, Column<std::uint8_t> op, Column<std::int32_t> loc,
         Column<std::uint8_t> order, Column<std::int32_t> rf, std::int32_t threads, std::int32_t locations) {
        Execution x = execution_of(thread, op, loc, order, rf, threads, locations);
        nb::gil_scoped_release free;
        return interleaving::row_order_is_sequential(x);
      },
      nb::arg("thread"), nb::arg("op"), nb::arg("loc"), nb::arg("order"), nb::arg("rf"), nb::arg("threads"),
      nb::arg("locations"));
}

}  // namespace porf::bindings
