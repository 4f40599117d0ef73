// Inclusion of guarded automata: is every word of the left automaton a word of one of the right ones, as it
// stands or as a cycle? (Kokologiannakis et al. 2023, Section 3: Propositions 3.8 to 3.11.)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "automata/guarded.hpp"
#include "budget.hpp"

namespace porf::automata {

// Left words count only if each letter r stands between an atom of domain[r] and an atom of range[r]. A left
// letter r may be read by a right transition labelled s if below[r * letters + s] is not 0.
//
// Without `loops`: an automaton with `rotate` also accepts a word that ends in the atom it began with, if it accepts a
// rotation of it. With `loops`: only left words whose ends are one atom count, as cycles; one is accepted if a power of
// it, or (with `rotate`) a power of a rotation, is accepted. The power 0 is the atom at which the cycle was cut.
struct Question {
  const GuardedAutomaton* left;
  std::vector<const GuardedAutomaton*> right;
  std::vector<bool> rotate;  // for each on the right
  bool loops;
  std::int32_t letters;
  std::span<const std::uint8_t> below;
  BitRows domain, range;  // a set of atoms a letter

  void validate() const;  // throws std::invalid_argument
};

enum class Included : std::uint8_t { kHolds = 0, kFails = 1, kUndecided = 2 };

struct Finding {
  Included included = Included::kUndecided;
  Limit limit = Limit::kNone;                // what ended it, if it is undecided
  std::vector<std::int32_t> atoms, letters;  // if it fails: a shortest word that shows it
  std::uint64_t nodes = 0;                   // pairs that were looked at
};

Finding include(const Question& question, Budget& budget);

}  // namespace porf::automata
