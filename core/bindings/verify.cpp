// The witness checker, for Python.
#include "bindings.hpp"
#include "verify/causal.hpp"
#include "verify/witness.hpp"

namespace porf::bindings {

void bind_verify(nb::module_& m) {
  using Int32 = Column<std::int32_t>;
  using UInt8 = Column<std::uint8_t>;
  m.def(
      "check_witness",
      [](int axioms, Int32 thread, UInt8 op, Int32 loc, UInt8 order, Int32 rf, std::int32_t threads,
         std::int32_t locations, Int32 mo, Column<std::int64_t> start) {
        Execution x = execution_of(thread, op, loc, order, rf, threads, locations);
        verify::Finding finding;
        {
          nb::gil_scoped_release free;
          finding =
              verify::check_witness(x, static_cast<verify::Axioms>(axioms), span_of(mo), span_of(start));
        }
        return nb::make_tuple(static_cast<int>(finding.fault), finding.row);
      },
      nb::arg("axioms"), nb::arg("thread"), nb::arg("op"), nb::arg("loc"), nb::arg("order"), nb::arg("rf"),
      nb::arg("threads"), nb::arg("locations"), nb::arg("mo"), nb::arg("start"));
  m.def(
      "satisfies_causal",
      [](int criterion, Int32 thread, UInt8 op, Int32 loc, UInt8 order, Int32 rf, std::int32_t threads,
         std::int32_t locations) {
        Execution x = execution_of(thread, op, loc, order, rf, threads, locations);
        nb::gil_scoped_release free;
        return verify::satisfies(x, static_cast<verify::Causal>(criterion));
      },
      nb::arg("criterion"), nb::arg("thread"), nb::arg("op"), nb::arg("loc"), nb::arg("order"), nb::arg("rf"),
      nb::arg("threads"), nb::arg("locations"));
  m.def(
      "is_interleaving",
      [](Int32 thread, UInt8 op, Int32 loc, UInt8 order, Int32 rf, std::int32_t threads,
         std::int32_t locations, Int32 rows) {
        Execution x = execution_of(thread, op, loc, order, rf, threads, locations);
        nb::gil_scoped_release free;
        return verify::is_interleaving(x, span_of(rows));
      },
      nb::arg("thread"), nb::arg("op"), nb::arg("loc"), nb::arg("order"), nb::arg("rf"), nb::arg("threads"),
      nb::arg("locations"), nb::arg("rows"));
}

}  // namespace porf::bindings
