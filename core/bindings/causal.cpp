// The causal criteria, for Python.
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "causal/check.hpp"

namespace porf::bindings {
namespace {

using causal::Breach;
using causal::Criterion;
using causal::Edge;
using causal::Keeps;
using causal::Kind;
using causal::Result;

struct PartialStoreOrder : causal::PartialOrder {
  causal::Converged converged;
  Limit limit = Limit::kNone;
};

void bind_enums(nb::module_& m) {
  nb::enum_<Criterion>(m, "Criterion", "The causal criteria that have a kernel of their own.")
      .value("CCV", Criterion::kCcv)
      .value("CM", Criterion::kCm)
      .value("CCM", Criterion::kCcm)
      .value("WCCM", Criterion::kWccm);
  nb::enum_<Breach>(m, "CausalBreach", "Where the cycle is.")
      .value("NONE", Breach::kFine)
      .value("CAUSAL", Breach::kCausal, "in the causal order itself")
      .value("VIEW", Breach::kView, "in a thread's view")
      .value("STORE", Breach::kStore, "in the causal order with the partial store order");
  nb::enum_<Keeps>(m, "Keeps", nb::is_str(), "Which part of program order counts.")
      .str_value("PO", Keeps::kPo, "po")
      .str_value("PPO", Keeps::kPpo, "ppo", "all but a write and a later read")
      .str_value("PO_LOC", Keeps::kPoLoc, "po-loc", "only events of one location");
  nb::enum_<Kind>(m, "CausalRelation", nb::is_str(),
                  "The relation of an edge; all but po and rf are inferred.")
      .str_value("PO", Kind::kPo, "po")
      .str_value("RF", Kind::kRf, "rf")
      .str_value("HB", Kind::kHb, "hb")
      .str_value("CF", Kind::kCf, "cf")
      .str_value("RW", Kind::kRw, "rw");
}

}  // namespace

void bind_causal(nb::module_& m) {
  bind_enums(m);
  nb::class_<Edge>(m, "CausalEdge",
                   "An edge; if it is inferred, from what its thread or all see before `read`.")
      .def_ro("source", &Edge::from)
      .def_ro("target", &Edge::to)
      .def_ro("relation", &Edge::kind)
      .def_ro("keeps", &Edge::keeps)
      .def_ro("read", &Edge::read);
  nb::class_<Result> result(m, "CausalResult");
  result.def_ro("answer", &Result::answer)
      .def_ro("limit", &Result::limit)
      .def_ro("breach", &Result::breach)
      .def_ro("keeps", &Result::keeps)
      .def_ro("edges", &Result::edges)
      .def_ro("path_start", &Result::path_start)
      .def_ro("path", &Result::path)
      .def_ro("cycle", &Result::cycle);
  def_column(result, "order", &Result::order);
  m.def(
      "check_causal",
      [](Criterion criterion, const HeldExecution& execution, Budget& budget) {
        return decided(budget, [&] { return causal::check(execution, criterion, budget); });
      },
      "criterion"_a, "execution"_a, "budget"_a);

  nb::class_<PartialStoreOrder> order(m, "PartialStoreOrder",
                                      "What CCv orders of it has an answer of its own.");
  order.def_ro("answer", &PartialStoreOrder::answer)
      .def_ro("limit", &PartialStoreOrder::limit)
      .def_prop_ro("pairs", [](const PartialStoreOrder& self) { return self.pairs.all; })
      .def_prop_ro("ordered", [](const PartialStoreOrder& self) { return self.pairs.ordered; })
      .def_prop_ro("converged_answer", [](const PartialStoreOrder& self) { return self.converged.answer; })
      .def_prop_ro("converged", [](const PartialStoreOrder& self) { return self.converged.pairs.ordered; });
  def_column(order, "before", &PartialStoreOrder::before);
  def_column(order, "after", &PartialStoreOrder::after);
  m.def(
      "partial_store_order",
      [](Criterion criterion, const HeldExecution& execution, Budget& budget) {
        return decided(budget, [&] {
          PartialStoreOrder found{causal::partial_store_order(execution, criterion, budget), {}, {}};
          if (found.answer == Answer::kConsistent)
            found.converged = causal::count_converged(execution, budget);
          return found;
        });
      },
      "criterion"_a, "execution"_a, "budget"_a);
}

}  // namespace porf::bindings
