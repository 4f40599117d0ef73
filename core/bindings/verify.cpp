// The witness checker, for Python.
#include "bindings/time_columns.hpp"
#include "record.hpp"
#include "verify/witness.hpp"

namespace porf::bindings {

void bind_verify(nb::module_& m) {
  using verify::Finding;
  enumeration<verify::Axioms>(m, "WitnessAxioms", "The axioms that the checker of witnesses knows by itself.");
  enumeration<verify::Causal>(m, "CausalAxioms", "The causal criteria that the checker knows by itself.");
  enumeration<verify::Fault>(m, "WitnessFault", "What is wrong with a witness.");
  view<Finding>(m, "WitnessFinding", "What is wrong, and where.", FIELD(Finding, fault), FIELD(Finding, row));
  m.def(
      "check_witness",
      [](const Execution& execution, verify::Axioms axioms, Column<std::int32_t> mo, Column<std::int64_t> start,
         const TimeColumns& times) {
        const Times known = times_of(times, execution);
        return unlocked([&] { return verify::check_witness(execution, axioms, span_of(mo), span_of(start), known); });
      },
      "execution"_a, "axioms"_a, "mo"_a, "start"_a, "times"_a = nb::none());
  m.def("satisfies_causal", &verify::satisfies, "execution"_a, "criterion"_a, Unlocked());
  m.def(
      "is_interleaving",
      [](const Execution& execution, Column<std::int32_t> rows) {
        return unlocked([&] { return verify::is_interleaving(execution, span_of(rows)); });
      },
      "execution"_a, "rows"_a);
}

}  // namespace porf::bindings
