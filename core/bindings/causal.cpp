// The causal criteria, for Python.
#include <nanobind/stl/vector.h>

#include "causal/check.hpp"
#include "record.hpp"

namespace porf::bindings {
namespace {

using causal::Criterion;
using causal::Edge;
using causal::Result;

struct PartialStoreOrder : causal::PartialOrder {
  causal::Converged converged;
  Limit limit = Limit::kNone;
};

PartialStoreOrder partial_store_order(const Execution& x, Criterion criterion, Budget& budget) {
  PartialStoreOrder found{causal::partial_store_order(x, criterion, budget), {}, {}};
  if (found.answer == Answer::kConsistent) found.converged = causal::count_converged(x, budget);
  return found;
}

}  // namespace

void bind_causal(nb::module_& m) {
  enumeration<Criterion>(m, "Criterion", "The causal criteria that have a kernel of their own.");
  enumeration<causal::Breach>(m, "CausalBreach", "Where the cycle is.");
  enumeration<causal::Keeps>(m, "Keeps", nb::is_str(), "Which part of program order counts.");
  enumeration<causal::Kind>(m, "CausalRelation", nb::is_str(),
                            "The relation of an edge; all but po and rf are inferred.");
  view<Edge>(m, "CausalEdge", "An edge; if it is inferred, from what its thread or all see before `read`.",
             FIELD_AS("source", Edge, from), FIELD_AS("target", Edge, to), FIELD_AS("relation", Edge, kind),
             FIELD(Edge, keeps), FIELD(Edge, read));
  view<Result>(m, "CausalResult", "The answer, with what shows it.", FIELD(Result, answer), FIELD(Result, limit),
               FIELD(Result, breach), FIELD(Result, keeps), FIELD(Result, edges), FIELD(Result, path_start),
               FIELD(Result, path), FIELD(Result, cycle), COLUMN(Result, order));
  view<PartialStoreOrder>(m, "PartialStoreOrder", "What CCv orders of it has an answer of its own.",
                          FIELD(PartialStoreOrder, answer), FIELD(PartialStoreOrder, limit),
                          COLUMN(PartialStoreOrder, before), COLUMN(PartialStoreOrder, after))
      .def_prop_ro("pairs", [](const PartialStoreOrder& self) { return self.pairs.all; })
      .def_prop_ro("ordered", [](const PartialStoreOrder& self) { return self.pairs.ordered; })
      .def_prop_ro("converged_answer", [](const PartialStoreOrder& self) { return self.converged.answer; })
      .def_prop_ro("converged", [](const PartialStoreOrder& self) { return self.converged.pairs.ordered; });
  m.def("check_causal", decided(&causal::check), "execution"_a, "criterion"_a, "budget"_a, Unlocked());
  m.def("partial_store_order", decided(&partial_store_order), "execution"_a, "criterion"_a, "budget"_a, Unlocked());
}

}  // namespace porf::bindings
