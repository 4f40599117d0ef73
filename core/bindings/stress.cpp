// The stress harness, for porf/stress. The caller checks the numbers.
#include <nanobind/stl/array.h>

#include "bindings.hpp"
#include "execution.hpp"
#include "stress/harness.hpp"

namespace porf::bindings {
namespace {

nb::dict run(stress::Harness& harness, std::int32_t ops, std::int32_t locations, std::array<double, 4> mix,
             std::int32_t burst, bool packed, std::uint64_t seed) {
  auto poll = [] {
    nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  };
  stress::Program program;
  stress::Observed observed;
  std::vector<std::uint8_t> order;
  {
    nb::gil_scoped_release free;
    program = stress::draw({harness.threads(), ops, locations, mix}, seed);
    observed = harness.run(program, {burst, packed}, poll);
    order.assign(program.op.size(), kRlx);
    for (std::size_t row = 0; row < order.size(); ++row)
      if (program.op[row] == kFence) order[row] = kSc;
  }
  nb::dict out;
  out["locations"] = program.locations;
  out["thread"] = to_numpy(std::move(program.thread));
  out["op"] = to_numpy(std::move(program.op));
  out["loc"] = to_numpy(std::move(program.loc));
  out["order"] = to_numpy(std::move(order));
  out["rf"] = to_numpy(std::move(observed.rf));
  out["read_value"] = to_numpy(std::move(observed.read_value));
  out["written_value"] = to_numpy(std::move(observed.written_value));
  return out;
}

}  // namespace

void bind_stress(nb::module_& m) {
  nb::class_<stress::Harness>(m, "Harness")
      .def(nb::init<std::int32_t>(), nb::arg("threads"))
      .def("run", &run, nb::arg("ops"), nb::arg("locations"), nb::arg("mix"), nb::arg("burst"),
           nb::arg("packed"), nb::arg("seed"));
  m.def("usable_cores", &stress::usable_cores);
}

}  // namespace porf::bindings
