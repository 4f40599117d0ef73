// The kernels that are known by their models' names, and the monitor, for Python.
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "coherence/check.hpp"
#include "coherence/monitor.hpp"
#include "kernel.hpp"
#include "record.hpp"

namespace porf::bindings {
namespace {

using coherence::Monitor;
using coherence::Monitored;
using coherence::Path;
using coherence::Sync;

Finding run(const std::string& model, const Execution& x, Budget& budget) { return Kernel::find(model)(x, budget); }

}  // namespace

void bind_coherence(nb::module_& m) {
  enumeration<Monitored>(m, "CoherenceModel", "The models of the C11 family, which can be monitored.");
  enumeration<Sync>(m, "Sync", "How happens-before arises.");
  enumeration<Breach>(m, "CoherenceBreach", "How coherence is broken.");
  view<GroundedEdge>(m, "GroundedEdge", "A forced edge: `access` happens before `event`; -1 for neither.",
                     FIELD_AS("source", GroundedEdge, from), FIELD_AS("target", GroundedEdge, to),
                     FIELD_AS("access", GroundedEdge, a), FIELD_AS("event", GroundedEdge, e));
  view<Finding>(m, "Finding", "The answer, with what shows it.", FIELD(Finding, answer), FIELD(Finding, limit),
                FIELD(Finding, breach), FIELD(Finding, access), FIELD(Finding, event), FIELD(Finding, cycle),
                FIELD(Finding, by_search), FIELD(Finding, states), COLUMN(Finding, po_rf), COLUMN(Finding, mo),
                COLUMN(Finding, mo_start));
  m.def("run_kernel", decided(&run), "model"_a, "execution"_a, "budget"_a, Unlocked());

  view<Path>(m, "Path", "Rows, each a step of po or rf after the one before.", COLUMN(Path, rows))
      .def_prop_ro("relations", [](const Path& self) {
        std::vector<const char*> names;
        for (std::uint8_t step : self.steps) names.push_back(step == 0 ? "po" : "rf");
        return names;
      });
  m.def("happens_before_path", &coherence::happens_before_path, "execution"_a, "sync"_a, "source"_a, "target"_a,
        Unlocked());

  nb::class_<Monitor>(m, "Monitor")
      .def(nb::new_(&Monitor::make), "model"_a)
      .def(
          "feed",
          [](Monitor& self, std::int32_t thread, std::uint8_t op, std::int32_t loc, std::uint8_t order,
             std::int32_t rf) { return self.feed(thread, op, loc, order, rf) == Breach::kFine; },
          "thread"_a, "op"_a, "loc"_a, "order"_a, "rf"_a, "Whether everything fed so far satisfies the model.")
      .def(
          "may_read",
          [](Monitor& self, std::int32_t thread, std::int32_t loc, bool update) {
            return to_numpy(self.may_read(thread, loc, update));
          },
          "thread"_a, "loc"_a, "update"_a);
}

}  // namespace porf::bindings
