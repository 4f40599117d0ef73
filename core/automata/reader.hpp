// A right automaton made ready for reading: successor sets by reading, closed downwards under simulation. On
// such sets inclusion is the strongest comparison that simulation gives, and a set stands for its largest
// states.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "automata/alphabet.hpp"
#include "automata/nfa.hpp"
#include "budget.hpp"

namespace porf::automata {

class Reader {
 public:
  Reader(const Nfa& nfa, const Alphabet& alphabet, Budget& budget);

  const Nfa& nfa() const { return nfa_; }
  std::size_t states() const { return static_cast<std::size_t>(nfa_.states); }
  std::size_t words() const { return below_.words; }

  const Word* below(std::size_t state) const { return below_[state]; }
  const Word* begin() const { return begin_.data(); }
  // What a state, or the initial ones, become by a reading; null for nothing.
  const Word* after(std::size_t state, std::size_t reading) const {
    return pooled(after_[state * readings_ + reading]);
  }
  const Word* begun(std::size_t reading) const { return pooled(begun_[reading]); }
  // The states that are final for a class, or for the classes of a reading.
  const Word* final_in(std::size_t cls) const { return final_in_[cls]; }
  const Word* final_at(std::size_t reading) const {
    return final_in_[static_cast<std::size_t>(class_of_[reading])];
  }
  // The states from which one that simulates this state can be reached.
  const Word* towards(std::size_t state) const { return towards_[state]; }
  // The classes that it accepts as words without letters.
  const std::vector<Word>& empty_words() const { return empty_words_; }

  std::uint64_t bytes() const;

  // Appends the largest states of a closed set; `kept` is scratch space.
  void largest(const Word* closed, std::vector<std::int32_t>& out, std::vector<Word>& kept) const;

 private:
  const Word* pooled(std::uint32_t id) const { return id == 0 ? nullptr : pool_.data() + (id - 1) * words(); }
  std::uint32_t keep(const std::vector<Word>& row);

  Nfa nfa_;
  std::size_t readings_;
  BitRows below_, smaller_, towards_, final_in_;
  std::vector<std::uint32_t> after_, begun_;  // 0, or the place in the pool plus one
  std::vector<Word> pool_, begin_, empty_words_;
  std::map<std::vector<Word>, std::uint32_t> known_;
  std::vector<std::int32_t> class_of_;
};

}  // namespace porf::automata
