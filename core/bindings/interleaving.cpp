// SC, TSO and interleavings, for Python.
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "interleaving/global_order.hpp"
#include "interleaving/replay.hpp"

namespace porf::bindings {

void bind_interleaving(nb::module_& m) {
  using interleaving::Derived;
  using interleaving::Ground;
  using interleaving::Memory;
  using interleaving::Result;
  using interleaving::Uniprocessor;
  nb::enum_<Memory>(m, "Memory").value("SC", Memory::kSc).value("TSO", Memory::kTso);
  nb::enum_<Ground>(m, "Ground", "How an edge of the global order came about.")
      .value("PO", Ground::kPo)
      .value("RF", Ground::kRf)
      .value("BEFORE", Ground::kBefore, "a write before a read of w is before w")
      .value("AFTER", Ground::kAfter, "a write after w is after every read of w")
      .value("OWN", Ground::kOwn, "a thread's own last write before its read of w is before w");
  nb::enum_<Uniprocessor>(m, "Uniprocessor", "What is wrong with a thread's accesses of one location.")
      .value("NONE", Uniprocessor::kFine)
      .value("FROM_LATER", Uniprocessor::kFromLater)
      .value("MISSES_OWN", Uniprocessor::kMissesOwn)
      .value("STALE_OWN", Uniprocessor::kStaleOwn);
  nb::class_<Derived>(m, "DerivedEdge", "An edge of the global order, and the read that it stands on.")
      .def_ro("source", &Derived::from)
      .def_ro("target", &Derived::to)
      .def_ro("ground", &Derived::ground)
      .def_ro("read", &Derived::read);
  nb::class_<Result> result(m, "GlobalOrder");
  result.def_ro("answer", &Result::answer)
      .def_ro("limit", &Result::limit)
      .def_ro("edges", &Result::edges)
      .def_ro("breach", &Result::breach)
      .def_ro("read", &Result::read)
      .def_ro("own", &Result::own)
      .def_ro("states", &Result::states)
      .def_ro("saturated", &Result::saturated)
      .def_ro("pairs", &Result::pairs)
      .def_ro("ordered", &Result::ordered)
      .def_ro("path_start", &Result::path_start)
      .def_ro("path", &Result::path)
      .def_ro("cycle", &Result::cycle);
  def_column(result, "order", &Result::order);
  m.def(
      "check_global_order",
      [](Memory memory, const HeldExecution& execution, Budget& budget, bool saturate) {
        return decided(budget,
                       [&] { return interleaving::check_global_order(execution, memory, saturate, budget); });
      },
      "memory"_a, "execution"_a, "budget"_a, "saturate"_a = true);
  m.def(
      "row_order_is_sequential",
      [](const HeldExecution& execution) {
        return unlocked([&] { return interleaving::row_order_is_sequential(execution); });
      },
      "execution"_a);
}

}  // namespace porf::bindings
