// The stress harness, for porf/stress. The caller checks the numbers.
#include <nanobind/stl/array.h>

#include "bindings.hpp"
#include "execution.hpp"
#include "stress/harness.hpp"

namespace porf::bindings {
namespace {

// One round: what the threads did, and what they saw.
struct Round {
  stress::Program program;
  stress::Observed observed;
  std::vector<std::uint8_t> order;
};

Round run(stress::Harness& harness, std::int32_t ops, std::int32_t locations, std::array<double, 4> mix,
          std::int32_t burst, bool packed, std::uint64_t seed) {
  auto poll = [] {
    nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  };
  nb::gil_scoped_release free;
  Round round;
  round.program = stress::draw({harness.threads(), ops, locations, mix}, seed);
  round.observed = harness.run(round.program, {burst, packed}, poll);
  for (std::uint8_t op : round.program.op) round.order.push_back(op == kFence ? kSc : kRlx);
  return round;
}

// A column of a part of a round.
template <auto Part, auto Member>
auto column(nb::pointer_and_handle<Round> self) {
  auto& values = self.p->*Part.*Member;
  using T = typename std::remove_reference_t<decltype(values)>::value_type;
  return Array<T>(values.data(), {values.size()}, self.h);
}

}  // namespace

void bind_stress(nb::module_& m) {
  using stress::Observed;
  using stress::Program;
  nb::class_<Round> round(m, "Round");
  round.def_prop_ro("locations", [](const Round& self) { return self.program.locations; })
      .def_prop_ro("thread", &column<&Round::program, &Program::thread>)
      .def_prop_ro("op", &column<&Round::program, &Program::op>)
      .def_prop_ro("loc", &column<&Round::program, &Program::loc>)
      .def_prop_ro("rf", &column<&Round::observed, &Observed::rf>)
      .def_prop_ro("read_value", &column<&Round::observed, &Observed::read_value>)
      .def_prop_ro("written_value", &column<&Round::observed, &Observed::written_value>);
  def_column(round, "order", &Round::order);
  nb::class_<stress::Harness>(m, "Harness")
      .def(nb::init<std::int32_t>(), nb::arg("threads"))
      .def("run", &run, nb::arg("ops"), nb::arg("locations"), nb::arg("mix"), nb::arg("burst"), nb::arg("packed"),
           nb::arg("seed"));
  m.def("usable_cores", &stress::usable_cores);
}

}  // namespace porf::bindings
