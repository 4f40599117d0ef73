// The witness checker, for Python.
#include "bindings.hpp"
#include "verify/causal.hpp"
#include "verify/witness.hpp"

namespace porf::bindings {

void bind_verify(nb::module_& m) {
  using verify::Axioms;
  using verify::Causal;
  using verify::Fault;
  using verify::Finding;
  nb::enum_<Axioms>(m, "WitnessAxioms", "The axioms that the checker of witnesses knows by itself.")
      .value("RELAXED", Axioms::kRelaxed)
      .value("RC20", Axioms::kRc20)
      .value("RA", Axioms::kRa)
      .value("WRA", Axioms::kWra)
      .value("SRA", Axioms::kSra)
      .value("SC", Axioms::kSc)
      .value("TSO", Axioms::kTso);
  nb::enum_<Causal>(m, "CausalAxioms", "The causal criteria that the checker knows by itself.")
      .value("CCV", Causal::kCcv)
      .value("CM", Causal::kCm)
      .value("CCM", Causal::kCcm)
      .value("WCCM", Causal::kWccm);
  nb::enum_<Fault>(m, "WitnessFault", "What is wrong with a witness.")
      .value("NONE", Fault::kNone)
      .value("NOT_AN_ORDER", Fault::kNotAnOrder)
      .value("PO_RF_CYCLIC", Fault::kPoRfCyclic)
      .value("ATOMICITY", Fault::kAtomicity)
      .value("COHERENCE", Fault::kCoherence)
      .value("CYCLIC", Fault::kCyclic);
  nb::class_<Finding>(m, "WitnessFinding").def_ro("fault", &Finding::fault).def_ro("row", &Finding::row);
  m.def(
      "check_witness",
      [](Axioms axioms, const HeldExecution& execution, Column<std::int32_t> mo, Column<std::int64_t> start) {
        return unlocked(
            [&] { return verify::check_witness(execution, axioms, span_of(mo), span_of(start)); });
      },
      "axioms"_a, "execution"_a, "mo"_a, "start"_a);
  m.def(
      "satisfies_causal",
      [](Causal criterion, const HeldExecution& execution) {
        return unlocked([&] { return verify::satisfies(execution, criterion); });
      },
      "criterion"_a, "execution"_a);
  m.def(
      "is_interleaving",
      [](const HeldExecution& execution, Column<std::int32_t> rows) {
        return unlocked([&] { return verify::is_interleaving(execution, span_of(rows)); });
      },
      "execution"_a, "rows"_a);
}

}  // namespace porf::bindings
