// The causal criteria, for Python.
#include "bindings.hpp"
#include "causal/check.hpp"

namespace porf::bindings {
namespace {

nb::dict to_dict(causal::Result&& result, Limit limit) {
  Ints edges;
  for (const causal::Edge& edge : result.edges)
    edges.insert(edges.end(), {edge.from, edge.to, static_cast<std::int32_t>(edge.kind),
                               static_cast<std::int32_t>(edge.keeps), edge.read});
  nb::dict out;
  out["answer"] = static_cast<int>(result.answer);
  out["breach"] = static_cast<int>(result.breach);
  out["keeps"] = static_cast<int>(result.keeps);
  out["thread"] = result.thread;
  out["order"] = to_numpy(std::move(result.order));
  out["edges"] = to_numpy(std::move(edges));
  out["path_start"] = to_numpy(std::move(result.path_start));
  out["path"] = to_numpy(std::move(result.path));
  out["cycle"] = to_numpy(std::move(result.cycle));
  out["limit"] = static_cast<int>(limit);
  return out;
}

}  // namespace

void bind_causal(nb::module_& m) {
  m.def(
      "check_causal",
      [](int criterion, Column<std::int32_t> thread, Column<std::uint8_t> op, Column<std::int32_t> loc,
         Column<std::uint8_t> order, Column<std::int32_t> rf, std::int32_t threads, std::int32_t locations,
         double seconds, std::uint64_t steps, std::uint64_t bytes, nb::object progress) {
        Execution x = execution_of(thread, op, loc, order, rf, threads, locations);
        Budget budget = make_budget(seconds, steps, bytes, std::move(progress));
        causal::Result result;
        {
          nb::gil_scoped_release free;
          result = causal::check(x, static_cast<causal::Criterion>(criterion), budget);
        }
        return to_dict(std::move(result), budget.limit());
      },
      nb::arg("criterion"), nb::arg("thread"), nb::arg("op"), nb::arg("loc"), nb::arg("order"), nb::arg("rf"),
      nb::arg("threads"), nb::arg("locations"), nb::arg("seconds") = 0.0, nb::arg("steps") = 0,
      nb::arg("bytes") = 0, nb::arg("progress").none() = nb::none());

  m.def(
      "partial_store_order",
      [](int criterion, Column<std::int32_t> thread, Column<std::uint8_t> op, Column<std::int32_t> loc,
         Column<std::uint8_t> order, Column<std::int32_t> rf, std::int32_t threads, std::int32_t locations,
         double seconds, std::uint64_t steps, std::uint64_t bytes, nb::object progress) {
        Execution x = execution_of(thread, op, loc, order, rf, threads, locations);
        Budget budget = make_budget(seconds, steps, bytes, std::move(progress));
        causal::PartialOrder found;
        causal::Converged converged;
        {
          nb::gil_scoped_release free;
          found = causal::partial_store_order(x, static_cast<causal::Criterion>(criterion), budget);
          if (found.answer == causal::Answer::kConsistent) converged = causal::count_converged(x, budget);
        }
        nb::dict out;
        out["answer"] = static_cast<int>(found.answer);
        out["before"] = to_numpy(std::move(found.before));
        out["after"] = to_numpy(std::move(found.after));
        out["pairs"] = found.pairs.all;
        out["ordered"] = found.pairs.ordered;
        out["converged_answer"] = static_cast<int>(converged.answer);
        out["converged"] = converged.pairs.ordered;
        out["limit"] = static_cast<int>(budget.limit());
        return out;
      },
      nb::arg("criterion"), nb::arg("thread"), nb::arg("op"), nb::arg("loc"), nb::arg("order"), nb::arg("rf"),
      nb::arg("threads"), nb::arg("locations"), nb::arg("seconds") = 0.0, nb::arg("steps") = 0,
      nb::arg("bytes") = 0, nb::arg("progress").none() = nb::none());
}

}  // namespace porf::bindings
