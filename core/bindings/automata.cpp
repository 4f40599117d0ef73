// Guarded automata and their inclusion, for Python.
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <vector>

#include "automata/guarded.hpp"
#include "automata/inclusion.hpp"
#include "bindings.hpp"

namespace porf::bindings {
namespace {

using automata::GuardedAutomaton;
using automata::Question;

nb::tuple include(const GuardedAutomaton& left, const std::vector<const GuardedAutomaton*>& right,
                  const std::vector<bool>& rotate, bool loops, std::int32_t letters,
                  Column<std::uint8_t> below, Column<std::uint64_t> domain, Column<std::uint64_t> range,
                  double seconds, std::uint64_t steps, std::uint64_t bytes, nb::object progress) {
  if (letters < 0) throw std::invalid_argument("letters: a count below 0");
  const Question question{&left,
                          right,
                          rotate,
                          loops,
                          letters,
                          span_of(below),
                          automata::atom_sets(span_of(domain), letters, left.atoms),
                          automata::atom_sets(span_of(range), letters, left.atoms)};
  Budget budget = make_budget(seconds, steps, bytes, std::move(progress));
  automata::Answer answer;
  {
    nb::gil_scoped_release free;
    answer = automata::include(question, budget);
  }
  return nb::make_tuple(static_cast<int>(answer.included), to_numpy(std::move(answer.atoms)),
                        to_numpy(std::move(answer.letters)), answer.nodes, static_cast<int>(budget.limit()));
}

}  // namespace

void bind_automata(nb::module_& m) {
  nb::class_<GuardedAutomaton>(m, "GuardedAutomaton")
      .def(
          "__init__",
          [](GuardedAutomaton* self, std::int32_t states, std::int32_t atoms, Column<std::int32_t> initial,
             Column<std::int32_t> source, Column<std::int32_t> letter, Column<std::int32_t> target,
             Column<std::uint64_t> guard, Column<std::uint64_t> final) {
            new (self) GuardedAutomaton(states, atoms, span_of(initial), span_of(source), span_of(letter),
                                        span_of(target), span_of(guard), span_of(final));
          },
          nb::arg("states"), nb::arg("atoms"), nb::arg("initial"), nb::arg("source"), nb::arg("letter"),
          nb::arg("target"), nb::arg("guard"), nb::arg("final"))
      .def_ro("states", &GuardedAutomaton::states)
      .def_ro("atoms", &GuardedAutomaton::atoms);
  m.def("include", &include, nb::arg("left"), nb::arg("right"), nb::arg("rotate"), nb::arg("loops"),
        nb::arg("letters"), nb::arg("below"), nb::arg("domain"), nb::arg("range"), nb::arg("seconds") = 0.0,
        nb::arg("steps") = 0, nb::arg("bytes") = 0, nb::arg("progress").none() = nb::none());
}

}  // namespace porf::bindings
