// What the binding files share: numpy columns in and out, executions and budgets as Python holds them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "allowance.hpp"
#include "execution.hpp"

namespace porf::bindings {

namespace nb = nanobind;
using nb::literals::operator""_a;

template <typename T>
using Column = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename T>
std::span<const T> span_of(const Column<T>& column) {
  return {column.data(), column.shape(0)};
}

using DependencyColumns = std::array<std::array<Column<std::int32_t>, 2>, kDependencyKinds>;

// Tags of rows; what the reading and the writing half of an update keep of them.
using TagColumn = std::tuple<Column<std::uint64_t>, std::uint64_t, std::uint64_t>;

// An execution together with the arrays that it looks into, which nobody copies. Numbers are not checked here.
class HeldExecution : public Execution {
 public:
  HeldExecution(Column<std::int32_t> thread, Column<std::uint8_t> op, Column<std::int32_t> loc,
                Column<std::uint8_t> order, Column<std::int32_t> rf, std::int32_t threads, std::int32_t locations,
                std::optional<DependencyColumns> dependencies, std::optional<TagColumn> tags);

 private:
  std::array<Column<std::int32_t>, 3> rows_;
  std::array<Column<std::uint8_t>, 2> bytes_;
  std::optional<DependencyColumns> pairs_;
  std::optional<TagColumn> tagged_;
};

template <typename T>
using Array = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

// Hands a vector to numpy without a copy: the array owns it.
template <typename T, typename Allocator>
Array<T> to_numpy(std::vector<T, Allocator>&& values) {
  using Values = std::vector<T, Allocator>;
  auto* owned = new Values(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<Values*>(p); });
  return Array<T>(owned->data(), {owned->size()}, owner);
}

// A bound class with a member for numpy: the array looks into the object, and keeps it alive.
template <typename Class, typename Owner, typename T, typename Allocator>
void def_column(nb::class_<Class>& bound, const char* name, std::vector<T, Allocator> Owner::* member) {
  bound.def_prop_ro(name, [member](nb::pointer_and_handle<Class> self) {
    auto& values = self.p->*member;
    return Array<T>(values.data(), {values.size()}, self.h);
  });
}

// Takes the GIL to deliver signals and the caller's progress callback; true: stop. Ctrl-C is raised in
// Python, unless the callback has an attribute `interrupted`: then that is set, and the work stops, so that
// the caller learns how far it got.
template <typename... Told>
bool poll(const nb::object& progress, const Told&... told) {
  if (Allowance::of_thread().exceeded() != Limit::kNone) return true;
  nb::gil_scoped_acquire gil;
  bool report = !progress.is_none(), graceful = report && nb::hasattr(progress, "interrupted");
  if (PyErr_CheckSignals() != 0) {
    if (!graceful || PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) == 0) throw nb::python_error();
    PyErr_Clear();
    progress.attr("interrupted") = true;
  } else if (report) {
    progress(told...);
  }
  return graceful && nb::cast<bool>(progress.attr("interrupted"));
}

// A budget that polls Python, and obeys what its thread may use; without limits it is there for Ctrl-C.
inline Budget make_budget(double seconds = 0, std::uint64_t steps = 0, std::uint64_t bytes = 0,
                          nb::object progress = nb::none()) {
  return Budget(Allowance::of_thread().at_most(seconds), steps, bytes,
                [progress = std::move(progress)](std::uint64_t used) { return poll(progress, used); });
}

// Which limit ended a budget: it may have been stopped by what its thread is allowed.
inline Limit limit_of(Limit ended) {
  if (ended != Limit::kStopped) return ended;
  const Limit exceeded = Allowance::of_thread().exceeded();
  return exceeded == Limit::kNone ? Limit::kStopped : exceeded;
}
inline Limit limit_of(const Budget& budget) { return limit_of(budget.limit()); }

// Runs without the GIL.
template <typename Body>
auto unlocked(Body&& body) {
  nb::gil_scoped_release free;
  return body();
}

// The same, for a function that needs no Python at all.
using Unlocked = nb::call_guard<nb::gil_scoped_release>;

// A decision; its result learns which limit of the budget, the last argument, ended it. One that was thrown out of its
// work has nothing else to say.
template <typename Result, typename... Arguments>
auto decided(Result (*decide)(Arguments...)) {
  return [decide](Arguments... arguments) {
    const Budget& budget = std::get<sizeof...(Arguments) - 1>(std::tie(arguments...));
    Result result;  // undecided, where its answer is of another kind
    try {
      result = decide(std::forward<Arguments>(arguments)...);
      result.limit = limit_of(budget);
    } catch (const Spent& spent) {
      if constexpr (requires { result.answer; }) result.answer = Answer::kUndecided;
      result.limit = spent.limit;
    }
    return result;
  };
}

void bind_common(nb::module_& m);
void bind_formats(nb::module_& m);
void bind_logs(nb::module_& m);
void bind_generate(nb::module_& m);
void bind_relations(nb::module_& m);
void bind_coherence(nb::module_& m);
void bind_interleaving(nb::module_& m);
void bind_store_order(nb::module_& m);
void bind_stress(nb::module_& m);
void bind_causal(nb::module_& m);
void bind_verify(nb::module_& m);
void bind_walks(nb::module_& m);
void bind_automata(nb::module_& m);
void bind_program(nb::module_& m);
void bind_explore(nb::module_& m);
void bind_testing(nb::module_& m);

}  // namespace porf::bindings
