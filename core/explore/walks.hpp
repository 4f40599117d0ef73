// The axioms of a model file as automata over relations (Kokologiannakis et al. 2023, Section 4.2): an axiom is broken
// if some walk of its automaton through the graph is closed. What does not depend on the modification order is saved
// (Section 5.2): such a relation is one letter, and grows with the graph, a column a new event.
#pragma once

#include <cstdint>
#include <vector>

#include "relations/base.hpp"
#include "relations/program.hpp"

namespace porf::explore {

// One occurrence of a relation in an axiom: a saved register, mo or fr.
struct Letter {
  enum Kind : std::uint8_t { kSaved, kMoStep, kFrStep } kind = kSaved;
  bool inverse = false;    // of a saved one
  std::int32_t reg = -1;   // of a saved one
  std::int32_t mask = -1;  // kInt, kExt or kLoc: only pairs in that; -1: all
};

// Walks from letter to letter: an axiom forbids closed ones that go from a first letter to a last one, once
// (irreflexive) or any number of times (acyclic).
inline constexpr std::size_t kMostLetters = 64;
inline constexpr int kDeepest = 1000;  // operators inside each other

struct WalkAutomaton {
  std::vector<Letter> letters;
  std::vector<std::vector<std::int32_t>> follow;  // letter -> letters
  std::vector<std::int32_t> first;
  std::vector<char> is_first, is_last;
  bool repeats = false;
};

class Walks {
 public:
  explicit Walks(const relations::Program& file);

  // Whether the whole file is of that form. If not, nothing else here has a meaning.
  bool usable() const { return usable_; }

  const relations::Program& file() const { return file_; }
  // The registers whose columns are needed, in the order in which they are computed.
  const std::vector<std::int32_t>& columns() const { return columns_; }
  // Axioms without a modification order: broken only by what the newest event's column shows.
  const std::vector<std::int32_t>& fixed_axioms() const { return fixed_axioms_; }
  const std::vector<WalkAutomaton>& automata() const { return automata_; }

 private:
  struct Part {
    bool nullable = false;
    std::vector<std::int32_t> first, last;
  };

  bool saved(std::int32_t reg) const { return !file_.dynamic[static_cast<std::size_t>(reg)]; }
  void find_growth();
  void need(std::int32_t reg);
  bool translate(const relations::Axiom& axiom);
  bool part(std::int32_t reg, WalkAutomaton& automaton, Part& out, int depth);
  static Part letter(WalkAutomaton& automaton, const Letter& l);
  static Part sequence(WalkAutomaton& automaton, const Part& a, const Part& b);

  const relations::Program& file_;
  bool usable_ = true;
  std::vector<char> known_;    // a register: the newest event's column follows from columns
  std::vector<char> forward_;  // a register: and leads from that event to no other
  std::vector<char> needed_;
  std::vector<std::int32_t> columns_, fixed_axioms_;
  std::vector<WalkAutomaton> automata_;
};

}  // namespace porf::explore
