// Guarded automata. A guarded word m0 r0 m1 ... mn alternates atoms (what one event is) and letters
// (primitive relations). At a state with the current atom m, a transition may be taken if its guard holds m;
// a word is accepted if its last atom is in the final set of the state.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "automata/bits.hpp"

namespace porf::automata {

struct GuardedAutomaton {
  std::int32_t states, atoms;
  std::vector<std::int32_t> initial, source, letter, target;
  BitRows guard;  // a set of atoms a transition
  BitRows final;  // a set of atoms a state

  // Throws std::invalid_argument if a column has the wrong length or names what is not there. Bits beyond the
  // last atom are ignored.
  GuardedAutomaton(std::int32_t state_count, std::int32_t atom_count, std::span<const std::int32_t> initials,
                   std::span<const std::int32_t> sources, std::span<const std::int32_t> letters,
                   std::span<const std::int32_t> targets, std::span<const Word> guards, std::span<const Word> finals);
};

// Rows of sets of atoms, as they come from outside. Throws if there are not so many.
BitRows atom_sets(std::span<const Word> words, std::int32_t rows, std::int32_t atoms);

// The number of each state's part; parts are numbered as they first occur. States of a part are alike: with
// the same final set and the same ways on to states alike (or, backwards, with the same ways from states
// alike), so that they can become one and the automaton keeps its words.
std::vector<std::int32_t> partition(const GuardedAutomaton& automaton, bool forwards);

}  // namespace porf::automata
