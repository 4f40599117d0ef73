// Forward simulation, and automata made smaller by it.
#pragma once

#include "automata/nfa.hpp"
#include "budget.hpp"

namespace porf::automata {

// Row p: the states q of `upper` that simulate the state p of `lower` (p <= q): the final set of q holds that
// of p, and every edge of p is answered by an edge of q with the same reading, to a state that simulates p's
// target. So every word accepted from p is accepted from q. If the budget ends the work, too much may be held
// to be simulated.
BitRows simulation(const Nfa& lower, const Nfa& upper, Budget& budget);

// The same language with fewer states: states that simulate each other are one, and of the targets of one
// reading, as of the initial states, only the largest are kept.
Nfa reduced(const Nfa& nfa, Budget& budget);

}  // namespace porf::automata
