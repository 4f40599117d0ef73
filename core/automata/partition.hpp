// States that are alike: with the same final set and the same ways on to states alike (or, backwards, with
// the same ways from states alike), so that they can become one and the automaton keeps its words.
#pragma once

#include <cstdint>
#include <vector>

#include "automata/guarded.hpp"

namespace porf::automata {

// The number of each state's part; parts are numbered as they first occur.
std::vector<std::int32_t> partition(const GuardedAutomaton& automaton, bool forwards);

}  // namespace porf::automata
