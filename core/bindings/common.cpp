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
      .def_prop_ro("limit", [](const Budget& budget) { return limit_of(budget); })
      .def_prop_ro("used", &Budget::used, "The steps that were spent.");
}

// Delivers signals to Python, in the middle of work that has no budget of its own.
void hear() {
  nb::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

void bind_allowance(nb::module_& m) {
  Allowance::hear = hear;
  nb::register_exception_translator(
      [](const std::exception_ptr& thrown, void*) {
        try {
          std::rethrow_exception(thrown);
        } catch (const Spent& spent) {
          PyErr_SetObject(nb::module_::import_("porf.allowance").attr("SpentError").ptr(), nb::cast(spent.limit).ptr());
        }
      },
      nullptr);
  nb::class_<Allowance>(m, "Allowance", "What this thread may use, whatever it does. Budgets obey it.")
      .def_static(
          "current", [] { return Allowance::of_thread(); }, "A copy, to be restored.")
      .def("restore", [](const Allowance& was) { Allowance::of_thread() = was; })
      .def_static(
          "narrow", [](double seconds, std::uint64_t bytes) { Allowance::of_thread().narrow(seconds, bytes); },
          "seconds"_a, "bytes"_a, "Allows no more than this from now on; 0 means no limit. Bytes are the process's.")
      .def_static(
          "at_most", [](double seconds) { return Allowance::of_thread().at_most(seconds); }, "seconds"_a,
          "So many seconds, or what is left, if that is less; 0 means no limit.")
      .def_static(
          "look", [] { Allowance::of_thread().look(); }, "Raises SpentError if a limit is exceeded.")
      .def_static(
          "exceeded", [](double grace) { return Allowance::of_thread().exceeded(grace); }, "grace"_a,
          "Which limit is exceeded, by so many seconds or that share of the memory.")
      .def_static(
          "claim", [](std::uint64_t bytes) { Allowance::of_thread().claim(bytes); }, "bytes"_a,
          "Raises SpentError if so much more memory would be too much.");
  m.def("resident_bytes", &resident_bytes, "process"_a = 0,
        "How much memory this process, or one with a number, has in use; 0 where nobody says.");
  m.def("end_with_parent", &end_with_parent, "This process shall end when the one that made it does.");
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
  bind_allowance(m);
}

}  // namespace porf::bindings
