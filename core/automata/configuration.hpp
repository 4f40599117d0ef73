// What the right side knows of a word that was read, as one row of bits: for an automaton that does not
// rotate, the states that the word leads to; for one that rotates, relations on its states.
//
// A rotation v u of the word u v is accepted if begin -v-> x -u-> final. Reading u v, the state x is guessed
// at the start. `from x` are the states that x leads to; where one of them is final, v may begin: `cut at x`
// are the states that the part since then leads to from the beginning. At the end it must have come to x.
// Powers of a cycle w need no more: begin -v-> y, then y -w-> ... -w-> x, and `from` is the relation -w->.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "automata/reader.hpp"

namespace porf::automata {

class Configurations {
 public:
  // `powers`: powers of words are accepted for `plain`, too, and relations are kept for it. Those that rotate
  // accept powers if the question is one of loops.
  Configurations(const Reader& plain, const std::vector<Reader>& rotating, bool loops, bool powers) : loops_(loops) {
    auto place = [&](const Reader& reader, bool is_set, bool rotates) {
      const std::size_t size = (is_set ? 1 : reader.states()) * reader.words();
      sections_.push_back({&reader, width_, width_ + size, is_set, rotates});
      width_ += rotates ? 2 * size : size;
    };
    place(plain, !powers, false);
    for (const Reader& reader : rotating) place(reader, false, true);
  }

  std::size_t width() const { return width_; }  // in words

  void begin(Word* out) const {
    std::fill_n(out, width_, Word{0});
    for (const Section& section : sections_) {
      const Reader& reader = *section.reader;
      if (section.set) or_row(out + section.from, reader.begin(), reader.words());
      for (std::size_t x = 0; !section.set && x < reader.states(); ++x)
        or_row(out + section.from + x * reader.words(), reader.below(x), reader.words());
    }
  }

  // Takes a configuration to read on from; then reads from it, any number of times. Says how many rows it read.
  void take(const Word* from) {
    taken_.assign(from, from + width_);
    rows_.clear();
    largest_.clear();
    for (const Section& section : sections_) {
      const Reader& reader = *section.reader;
      const std::size_t words = reader.words(), count = section.set ? 1 : reader.states();
      for (std::size_t i = 0; i < (section.rotates ? 2 * count : count); ++i) {
        const std::size_t at = section.from + i * words;
        if (relations::is_empty(from + at, words)) continue;
        const std::size_t first = largest_.size();
        reader.largest(from + at, largest_, scratch_);
        rows_.push_back({&section, at, section.cut + i * words, i % count, first, largest_.size(), i >= count});
      }
    }
  }

  std::size_t read(std::int32_t reading, Word* out) const {
    const auto r = static_cast<std::size_t>(reading);
    std::fill_n(out, width_, Word{0});
    for (const Row& row : rows_) {
      const Reader& reader = *row.section->reader;
      const std::size_t words = reader.words();
      Word* to = out + row.at;
      for (std::size_t i = row.first; i < row.last; ++i) {
        if (const Word* after = reader.after(static_cast<std::size_t>(largest_[i]), r)) or_row(to, after, words);
      }
      if (!row.section->rotates) continue;
      if (!row.of_cut) {
        if (!meets(taken_.data() + row.at, reader.final_at(r), words)) continue;
        const Word* begun = reader.begun(r);
        if (begun == nullptr) continue;
        to = out + row.cut;
        or_row(to, begun, words);
      }
      const Word* towards = reader.towards(row.state);
      for (std::size_t w = 0; w < words; ++w) to[w] &= towards[w];
    }
    return rows_.size() + largest_.size();
  }

  // Whether the word, which has letters, is accepted if it ends in a class. `cycle`: it began with the same atom.
  bool accepts(const Word* at, std::int32_t cls, bool cycle) const {
    return std::any_of(sections_.begin(), sections_.end(), [&](const Section& section) {
      if (section.rotates) return cycle && accepts_rotation(section, at);
      if (!section.set) return accepts_power(section, at, cls);
      return meets(at + section.from, section.reader->final_in(static_cast<std::size_t>(cls)), section.reader->words());
    });
  }

  // Whether the word led a right automaton from its beginning into some states, given for each of them.
  bool led_to(const Word* at, const std::vector<const Word*>& states) const {
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      const Section& section = sections_[i];
      const std::size_t words = section.reader->words();
      if (section.set && meets(at + section.from, states[i], words)) return true;
      if (section.set) continue;
      for (std::int32_t s : section.reader->nfa().initial) {
        if (meets(at + section.from + static_cast<std::size_t>(s) * words, states[i], words)) return true;
      }
    }
    return false;
  }

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

  bool accepts_rotation(const Section& section, const Word* at) const {
    const std::size_t words = section.reader->words(), states = section.reader->states();
    for (std::size_t x = 0; x < states; ++x) {
      if (test(at + section.cut + x * words, x)) return true;
    }
    std::vector<Word> reach(words);
    for (std::size_t x = 0; loops_ && x < states; ++x) {
      const Word* row = at + section.cut + x * words;
      if (relations::is_empty(row, words)) continue;
      reach.assign(row, row + words);
      close(section, at, reach);
      if (test(reach.data(), x)) return true;
    }
    return false;
  }

  bool accepts_power(const Section& section, const Word* at, std::int32_t cls) const {
    const Reader& reader = *section.reader;
    std::vector<Word> reach(reader.begin(), reader.begin() + reader.words());
    close(section, at, reach);
    return meets(reach.data(), reader.final_in(static_cast<std::size_t>(cls)), reader.words());
  }

  // Adds what the word, read again and again, leads to.
  void close(const Section& section, const Word* at, std::vector<Word>& states) const {
    const std::size_t words = section.reader->words();
    std::vector<Word> fresh = states;
    for (bool grown = true; grown;) {
      grown = false;
      std::vector<Word> next(words);
      for_each_bit(fresh.data(), words,
                   [&](std::size_t y) { or_row(next.data(), at + section.from + y * words, words); });
      for (std::size_t w = 0; w < words; ++w) {
        fresh[w] = next[w] & ~states[w];
        states[w] |= next[w];
        grown |= fresh[w] != 0;
      }
    }
  }

  bool loops_;
  std::size_t width_ = 0;
  std::vector<Section> sections_;
  std::vector<Word> taken_, scratch_;
  std::vector<Row> rows_;
  std::vector<std::int32_t> largest_;
};

}  // namespace porf::automata
