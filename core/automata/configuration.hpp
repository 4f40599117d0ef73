// What the right side knows of a word that was read, as one row of bits: for an automaton that does not
// rotate, the states that the word leads to; for one that rotates, relations on its states.
//
// A rotation v u of the word u v is accepted if begin -v-> x -u-> final. Reading u v, the state x is guessed
// at the start. `from x` are the states that x leads to; where one of them is final, v may begin: `cut at x`
// are the states that the part since then leads to from the beginning. At the end it must have come to x.
// Powers of a cycle w need no more: begin -v-> y, then y -w-> ... -w-> x, and `from` is the relation -w->.
#pragma once

#include <cstdint>
#include <vector>

#include "automata/reader.hpp"

namespace porf::automata {

class Configurations {
 public:
  // `powers`: powers of words are accepted for `plain`, too, and relations are kept for it. Those that rotate
  // accept powers if the question is one of loops.
  Configurations(const Reader& plain, const std::vector<Reader>& rotating, bool loops, bool powers);

  std::size_t width() const { return width_; }  // in words
  void begin(Word* out) const;

  // Takes a configuration to read on from; then reads from it, any number of times. Says how many rows it
  // read.
  void take(const Word* from);
  std::size_t read(std::int32_t reading, Word* out) const;

  // Whether the word, which has letters, is accepted if it ends in a class. `cycle`: it began with the same
  // atom.
  bool accepts(const Word* at, std::int32_t cls, bool cycle) const;
  // Whether the word led a right automaton from its beginning into some states, given for each of them.
  bool led_to(const Word* at, const std::vector<const Word*>& states) const;

 private:
  struct Section {
    const Reader* reader;
    std::size_t from, cut;  // where its rows begin
    bool set;               // one row: the states reached from the beginning
    bool rotates;
  };
  struct Row {
    const Section* section;
    std::size_t at, cut;      // where the row stands, and the row where its rotations begin, or 0
    std::size_t state;        // x, for rows `cut at x`
    std::size_t first, last;  // its largest states
    bool of_cut;
  };

  bool accepts_rotation(const Section& section, const Word* at) const;
  bool accepts_power(const Section& section, const Word* at, std::int32_t cls) const;
  void close(const Section& section, const Word* at, std::vector<Word>& states) const;

  bool loops_;
  std::size_t width_ = 0;
  std::vector<Section> sections_;
  std::vector<Word> taken_, scratch_;
  std::vector<Row> rows_;
  std::vector<std::int32_t> largest_;
};

}  // namespace porf::automata
