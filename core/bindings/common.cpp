// What every family of functions takes and returns: operations, orders, executions, budgets, answers.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <stdexcept>

#include "record.hpp"

namespace porf::bindings {
namespace {

using Progress = nb::typed<nb::callable, nb::object(std::uint64_t)>;

void bind_events(nb::module_& m) {
  enumeration<Op>(m, "Op", nb::is_arithmetic(), "What an event does.");
  enumeration<Order>(m, "Order", nb::is_arithmetic(), "The memory order of an event.");
  nb::class_<Execution>(m, "Columns", "The columns of an execution, whoever holds them.");
  nb::class_<HeldExecution, Execution>(m, "Execution", "The columns of an execution, held without a copy.")
      .def(nb::init<Column<std::int32_t>, Column<std::uint8_t>, Column<std::int32_t>, Column<std::uint8_t>,
                    Column<std::int32_t>, std::int32_t, std::int32_t, std::optional<DependencyColumns>,
                    std::optional<TagColumn>>(),
           "thread"_a, "op"_a, "loc"_a, "order"_a, "rf"_a, "threads"_a, "locations"_a, "dependencies"_a = nb::none(),
           "tags"_a = nb::none(),
           "`dependencies`: of addresses, of data, of control and of exclusives, each (from rows, to rows). `tags`: "
           "bits of rows, "
           "and which of them the halves of an update keep, first the reading one.");
}

void bind_budget(nb::module_& m) {
  enumeration<Answer>(m, "Answer", nb::is_str(), "Does an execution satisfy a model?")
      .def("__str__", [](nb::handle self) -> nb::str { return nb::borrow<nb::str>(self.attr("value")); });
  enumeration<Limit>(m, "Limit", "Which limit ended a computation.");
  nb::class_<Budget>(m, "Budget", "What one computation may spend, from now on; 0 means no limit.")
      .def(
          "__init__",
          [](Budget* self, double seconds, std::uint64_t steps, std::uint64_t bytes, std::optional<Progress> progress) {
            new (self) Budget(make_budget(seconds, steps, bytes, progress ? nb::object(*progress) : nb::none()));
          },
          "seconds"_a = 0.0, "steps"_a = 0, "bytes"_a = 0, "progress"_a = nb::none())
      .def_prop_ro("limit", &Budget::limit)
      .def_prop_ro("used", &Budget::used, "The steps that were spent.");
}

}  // namespace

HeldExecution::HeldExecution(Column<std::int32_t> thread, Column<std::uint8_t> op, Column<std::int32_t> loc,
                             Column<std::uint8_t> order, Column<std::int32_t> rf, std::int32_t threads,
                             std::int32_t locations, std::optional<DependencyColumns> dependencies,
                             std::optional<TagColumn> tags)
    : Execution{span_of(thread), span_of(op), span_of(loc), span_of(order), span_of(rf), threads, locations},
      rows_{std::move(thread), std::move(loc), std::move(rf)},
      bytes_{std::move(op), std::move(order)},
      pairs_(std::move(dependencies)),
      tagged_(std::move(tags)) {
  const std::size_t n = Execution::thread.size();
  if (Execution::op.size() != n || Execution::loc.size() != n || Execution::order.size() != n ||
      Execution::rf.size() != n)
    throw std::invalid_argument("columns of different lengths");
  if (tagged_) {
    const auto& [bits, of_reads, of_writes] = *tagged_;
    if (bits.shape(0) != n) throw std::invalid_argument("columns of different lengths");
    Execution::tags = {span_of(bits), of_reads, of_writes};
  }
  if (!pairs_) return;
  for (int kind = 0; kind < kDependencyKinds; ++kind) {
    const auto& [from, to] = (*pairs_)[kind];
    if (from.shape(0) != to.shape(0)) throw std::invalid_argument("dependency columns of different lengths");
    Execution::dependencies[kind] = {span_of(from), span_of(to)};
  }
}

void bind_common(nb::module_& m) {
  bind_events(m);
  bind_budget(m);
}

}  // namespace porf::bindings
