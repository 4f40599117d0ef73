// Guarded automata and their inclusion, for Python.
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <vector>

#include "automata/guarded.hpp"
#include "automata/inclusion.hpp"
#include "record.hpp"

namespace porf::bindings {
namespace {

using automata::Finding;
using automata::GuardedAutomaton;
using automata::Question;

Finding include(const GuardedAutomaton& left, const std::vector<const GuardedAutomaton*>& right,
                const std::vector<bool>& rotate, bool loops, std::int32_t letters, Column<std::uint8_t> below,
                Column<std::uint64_t> domain, Column<std::uint64_t> range, Budget& budget) {
  if (letters < 0) throw std::invalid_argument("letters: a count below 0");
  const Question question{&left,
                          right,
                          rotate,
                          loops,
                          letters,
                          span_of(below),
                          automata::atom_sets(span_of(domain), letters, left.atoms),
                          automata::atom_sets(span_of(range), letters, left.atoms)};
  return unlocked([&] { return automata::include(question, budget); });
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
          "states"_a, "atoms"_a, "initial"_a, "source"_a, "letter"_a, "target"_a, "guard"_a, "final"_a)
      .def_ro("states", &GuardedAutomaton::states)
      .def_ro("atoms", &GuardedAutomaton::atoms);
  m.def(
      "partition",
      [](const GuardedAutomaton& automaton, bool forwards) {
        return to_numpy(unlocked([&] { return automata::partition(automaton, forwards); }));
      },
      "automaton"_a, "forwards"_a,
      "A number for every state, the same for states with the same ways on (or, backwards, to them).");
  enumeration<automata::Included>(m, "Included");
  view<Finding>(m, "Inclusion", "If it fails: the atoms and letters of a shortest word that shows it.",
                FIELD(Finding, included), FIELD(Finding, limit), FIELD(Finding, atoms), FIELD(Finding, letters),
                FIELD(Finding, nodes));
  m.def("include", decided(&include), "left"_a, "right"_a, "rotate"_a, "loops"_a, "letters"_a, "below"_a, "domain"_a,
        "range"_a, "budget"_a);
}

}  // namespace porf::bindings
