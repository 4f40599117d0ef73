// The kernels of the C11 family and the monitor, for Python.
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "coherence/check.hpp"
#include "coherence/monitor.hpp"

namespace porf::bindings {
namespace {

using coherence::Breach;
using coherence::GroundedEdge;
using coherence::Monitor;
using coherence::Monitored;
using coherence::Path;
using coherence::Result;
using coherence::Sync;

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

void bind_enums(nb::module_& m) {
  nb::enum_<Monitored>(m, "CoherenceModel", "The models of the C11 family that have a kernel.")
      .value("RELAXED", Monitored::kRelaxed)
      .value("RC20", Monitored::kRc20)
      .value("RA", Monitored::kRa)
      .value("WRA", Monitored::kWra)
      .value("SRA", Monitored::kSra);
  nb::enum_<Sync>(m, "Sync", "How happens-before arises.")
      .value("PO_ONLY", Sync::kPoOnly, "po alone")
      .value("ORDERS", Sync::kOrders, "po and synchronises-with, by memory orders and fences")
      .value("ALL", Sync::kAll, "po and every rf");
  nb::enum_<Breach>(m, "CoherenceBreach", "How coherence is broken.")
      .value("NONE", Breach::kFine)
      .value("PO_RF", Breach::kPoRf, "po and rf are cyclic")
      .value("ATOMICITY", Breach::kAtomicity, "two updates read one write")
      .value("INITIAL", Breach::kInitial, "a value must precede the initial write")
      .value("BACK_IN_CHAIN", Breach::kBackInChain, "a value is later in its chain than the one that is read")
      .value("CYCLE", Breach::kCycle, "the forced edges between chains are cyclic")
      .value("STRONG_CYCLE", Breach::kStrongCycle, "happens-before and the forced edges are cyclic")
      .value("OVERWRITTEN", Breach::kOverwritten, "what is read was overwritten before");
}

}  // namespace

void bind_coherence(nb::module_& m) {
  bind_enums(m);
  nb::class_<GroundedEdge>(m, "GroundedEdge",
                           "A forced edge: `access` happens before `event`; -1 for neither.")
      .def_ro("source", &GroundedEdge::from)
      .def_ro("target", &GroundedEdge::to)
      .def_ro("access", &GroundedEdge::a)
      .def_ro("event", &GroundedEdge::e);
  nb::class_<Result> result(m, "CoherenceResult");
  result.def_ro("answer", &Result::answer)
      .def_ro("limit", &Result::limit)
      .def_ro("breach", &Result::breach)
      .def_ro("access", &Result::access)
      .def_ro("event", &Result::event)
      .def_ro("cycle", &Result::cycle)
      .def_ro("by_search", &Result::by_search)
      .def_ro("states", &Result::states);
  def_column(result, "po_rf", &Result::po_rf);
  def_column(result, "mo", &Result::mo);
  def_column(result, "mo_start", &Result::mo_start);
  m.def(
      "check_coherence",
      [](Monitored model, const HeldExecution& execution, Budget& budget) {
        return decided(budget, [&] { return run(model, execution, budget); });
      },
      "model"_a, "execution"_a, "budget"_a);

  nb::class_<Path> path(m, "Path", "Rows, each a step of po or rf after the one before.");
  def_column(path, "rows", &Path::rows);
  path.def_prop_ro("relations", [](const Path& self) {
    std::vector<const char*> names;
    for (std::uint8_t step : self.steps) names.push_back(step == 0 ? "po" : "rf");
    return names;
  });
  m.def(
      "happens_before_path",
      [](Sync sync, const HeldExecution& execution, std::int32_t source, std::int32_t target) {
        return unlocked([&] { return coherence::happens_before_path(execution, sync, source, target); });
      },
      "sync"_a, "execution"_a, "source"_a, "target"_a);

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
