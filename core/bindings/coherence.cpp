// The kernels of the C11 family and the monitor, for Python: columns in, a result object out.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>

#include "bindings.hpp"
#include "coherence/check.hpp"
#include "coherence/monitor.hpp"

namespace porf::bindings {
namespace {

using coherence::Monitor;
using coherence::Monitored;
using coherence::Result;
using coherence::Sync;

using Int32 = Column<std::int32_t>;
using UInt8 = Column<std::uint8_t>;

Result run(Monitored model, const Execution& x, Budget& budget) {
  switch (model) {
    case Monitored::kRelaxed:
      return coherence::check_coherence(x, Sync::kPoOnly, budget);
    case Monitored::kRc20:
      return coherence::check_coherence(x, Sync::kOrders, budget);
    case Monitored::kRa:
      return coherence::check_coherence(x, Sync::kAll, budget);
    case Monitored::kWra:
      return coherence::check_wra(x, budget);
    case Monitored::kSra:
      break;
  }
  return coherence::check_sra(x, budget);
}

nb::dict to_dict(Result&& result) {
  nb::dict out;
  out["answer"] = static_cast<int>(result.answer);
  out["breach"] = static_cast<int>(result.breach);
  out["access"] = result.access;
  out["event"] = result.event;
  out["po_rf"] = to_numpy(std::move(result.po_rf));
  std::vector<std::int32_t> cycle;
  for (const coherence::GroundedEdge& edge : result.cycle)
    cycle.insert(cycle.end(), {edge.from, edge.to, edge.a, edge.e});
  out["cycle"] = to_numpy(std::move(cycle));
  out["mo"] = to_numpy(std::move(result.mo));
  out["mo_start"] = to_numpy(std::move(result.mo_start));
  out["by_search"] = result.by_search;
  out["states"] = result.states;
  return out;
}

}  // namespace

void bind_coherence(nb::module_& m) {
  m.def(
      "check_coherence",
      [](int model, Int32 thread, UInt8 op, Int32 loc, UInt8 order, Int32 rf, std::int32_t threads,
         std::int32_t locations, double seconds, std::uint64_t steps, std::uint64_t bytes,
         nb::object progress) {
        Execution x = execution_of(thread, op, loc, order, rf, threads, locations);
        Budget budget = make_budget(seconds, steps, bytes, std::move(progress));
        Result result;
        {
          nb::gil_scoped_release free;
          result = run(static_cast<Monitored>(model), x, budget);
        }
        nb::dict out = to_dict(std::move(result));
        out["limit"] = static_cast<int>(budget.limit());
        return out;
      },
      nb::arg("model"), nb::arg("thread"), nb::arg("op"), nb::arg("loc"), nb::arg("order"), nb::arg("rf"),
      nb::arg("threads"), nb::arg("locations"), nb::arg("seconds") = 0.0, nb::arg("steps") = 0,
      nb::arg("bytes") = 0, nb::arg("progress").none() = nb::none());

  m.def(
      "happens_before_path",
      [](int sync, Int32 thread, UInt8 op, Int32 loc, UInt8 order, Int32 rf, std::int32_t threads,
         std::int32_t locations, std::int32_t from, std::int32_t to) {
        Execution x = execution_of(thread, op, loc, order, rf, threads, locations);
        coherence::Path path;
        {
          nb::gil_scoped_release free;
          path = coherence::happens_before_path(x, static_cast<Sync>(sync), from, to);
        }
        return nb::make_tuple(to_numpy(std::move(path.rows)), to_numpy(std::move(path.steps)));
      },
      nb::arg("sync"), nb::arg("thread"), nb::arg("op"), nb::arg("loc"), nb::arg("order"), nb::arg("rf"),
      nb::arg("threads"), nb::arg("locations"), nb::arg("source"), nb::arg("target"));

  nb::class_<Monitor>(m, "Monitor")
      .def("feed",
           [](Monitor& self, std::int32_t thread, std::uint8_t op, std::int32_t loc, std::uint8_t order,
              std::int32_t rf) { return static_cast<int>(self.feed(thread, op, loc, order, rf)); })
      .def("may_read", [](Monitor& self, std::int32_t thread, std::int32_t loc, bool update) {
        return to_numpy(self.may_read(thread, loc, update));
      });
  m.def("make_monitor", [](int model) { return Monitor::make(static_cast<Monitored>(model)); });
}

}  // namespace porf::bindings
