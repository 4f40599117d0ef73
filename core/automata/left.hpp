// The left side of an inclusion. The rule of domains and ranges becomes part of its states, and its words
// become words of readings; a word of readings can be spelled as atoms and letters again.
#pragma once

#include <cstdint>
#include <vector>

#include "automata/alphabet.hpp"

namespace porf::automata {

class Left {
 public:
  // The classes of `unread` stand in no word that matters.
  Left(const Question& question, const Alphabet& alphabet, const std::vector<Word>& unread, Budget& budget);

  struct First {  // the class and reading with which a word begins, and the state after it
    std::int32_t cls, reading, target;
  };
  const std::vector<First>& first() const { return first_; }
  // The classes of words without letters.
  const std::vector<Word>& empty_words() const { return empty_words_; }
  // What follows a first letter, reduced.
  const Nfa& body() const { return body_; }

  struct Spelling {
    std::vector<std::int32_t> classes, letters;
  };
  // A word of these readings that begins and ends with these classes. There must be one.
  Spelling spell(const std::vector<std::int32_t>& readings, std::int32_t first, std::int32_t last) const;

 private:
  struct Step {
    std::int32_t cls, letter, reading, target;
  };

  void unfold(const Question& question, const Alphabet& alphabet, const std::vector<Word>& unread);
  void reduce(const Alphabet& alphabet, Budget& budget);
  void keep_hardest(const Alphabet& alphabet, Budget& budget);

  std::vector<First> first_;
  std::vector<Word> empty_words_;
  Nfa body_;
  // Before reduction, by source. State 0 is the beginning of words, and no step leads to it.
  std::vector<std::vector<Step>> steps_;
  BitRows final_;
};

}  // namespace porf::automata
