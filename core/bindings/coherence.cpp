// The kernels of the C11 family and the monitor, for Python.
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "coherence/check.hpp"
#include "coherence/monitor.hpp"
#include "record.hpp"

namespace porf::bindings {
namespace {

using coherence::Breach;
using coherence::GroundedEdge;
using coherence::Monitor;
using coherence::Monitored;
using coherence::Path;
using coherence::Result;
using coherence::Sync;

Result check(const Execution& x, Monitored model, Budget& budget) {
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

}  // namespace

void bind_coherence(nb::module_& m) {
  enumeration<Monitored>(m, "CoherenceModel", "The models of the C11 family that have a kernel.");
  enumeration<Sync>(m, "Sync", "How happens-before arises.");
  enumeration<Breach>(m, "CoherenceBreach", "How coherence is broken.");
  view<GroundedEdge>(m, "GroundedEdge", "A forced edge: `access` happens before `event`; -1 for neither.",
                     FIELD_AS("source", GroundedEdge, from), FIELD_AS("target", GroundedEdge, to),
                     FIELD_AS("access", GroundedEdge, a), FIELD_AS("event", GroundedEdge, e));
  view<Result>(m, "CoherenceResult", "The answer, with what shows it.", FIELD(Result, answer),
               FIELD(Result, limit), FIELD(Result, breach), FIELD(Result, access), FIELD(Result, event),
               FIELD(Result, cycle), FIELD(Result, by_search), FIELD(Result, states), COLUMN(Result, po_rf),
               COLUMN(Result, mo), COLUMN(Result, mo_start));
  m.def("check_coherence", decided(&check), "execution"_a, "model"_a, "budget"_a, Unlocked());

  view<Path>(m, "Path", "Rows, each a step of po or rf after the one before.", COLUMN(Path, rows))
      .def_prop_ro("relations", [](const Path& self) {
        std::vector<const char*> names;
        for (std::uint8_t step : self.steps) names.push_back(step == 0 ? "po" : "rf");
        return names;
      });
  m.def("happens_before_path", &coherence::happens_before_path, "execution"_a, "sync"_a, "source"_a,
        "target"_a, Unlocked());

  nb::class_<Monitor>(m, "Monitor")
      .def(nb::new_(&Monitor::make), "model"_a)
      .def(
          "feed",
          [](Monitor& self, std::int32_t thread, std::uint8_t op, std::int32_t loc, std::uint8_t order,
             std::int32_t rf) { return self.feed(thread, op, loc, order, rf) == Breach::kFine; },
          "thread"_a, "op"_a, "loc"_a, "order"_a, "rf"_a,
          "Whether everything fed so far satisfies the model.")
      .def(
          "may_read",
          [](Monitor& self, std::int32_t thread, std::int32_t loc, bool update) {
            return to_numpy(self.may_read(thread, loc, update));
          },
          "thread"_a, "loc"_a, "update"_a);
}

}  // namespace porf::bindings
