// What the binding files share: numpy columns in and out, and budgets that poll Python for Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "budget.hpp"
#include "execution.hpp"

namespace porf::bindings {

namespace nb = nanobind;

template <typename T>
using Column = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename T>
std::span<const T> span_of(const Column<T>& column) {
  return {column.data(), column.shape(0)};
}

inline Execution execution_of(const Column<std::int32_t>& thread, const Column<std::uint8_t>& op,
                              const Column<std::int32_t>& loc, const Column<std::uint8_t>& order,
                              const Column<std::int32_t>& rf, std::int32_t threads, std::int32_t locations) {
  return {span_of(thread), span_of(op), span_of(loc), span_of(order), span_of(rf), threads, locations};
}

// Hands a vector to numpy without a copy: the array owns it.
template <typename T, typename Allocator>
nb::ndarray<nb::numpy, T, nb::ndim<1>> to_numpy(std::vector<T, Allocator>&& values) {
  using Values = std::vector<T, Allocator>;
  auto* owned = new Values(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<Values*>(p); });
  return nb::ndarray<nb::numpy, T, nb::ndim<1>>(owned->data(), {owned->size()}, owner);
}

// Takes the GIL to deliver signals and the caller's progress callback; true: stop. Ctrl-C is raised in
// Python, unless the callback has an attribute `interrupted`: then that is set, and the work stops, so that
// the caller learns how far it got.
template <typename... Told>
bool poll(const nb::object& progress, const Told&... told) {
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

// A budget that polls Python.
inline Budget make_budget(double seconds, std::uint64_t steps, std::uint64_t bytes, nb::object progress) {
  return Budget(seconds, steps, bytes,
                [progress = std::move(progress)](std::uint64_t used) { return poll(progress, used); });
}

void bind_formats(nb::module_& m);
void bind_generate(nb::module_& m);
void bind_relations(nb::module_& m);
void bind_coherence(nb::module_& m);
void bind_interleaving(nb::module_& m);
void bind_store_order(nb::module_& m);
void bind_stress(nb::module_& m);
void bind_causal(nb::module_& m);
void bind_verify(nb::module_& m);
void bind_automata(nb::module_& m);
void bind_program(nb::module_& m);
void bind_explore(nb::module_& m);

}  // namespace porf::bindings
