// Pairs of a left state and a configuration that a search has found, of which none makes another needless.
// Rows are kept packed: which words are not 0, then those words.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "automata/bits.hpp"

namespace porf::automata {

struct Packed {
  std::vector<Word> words;  // the map of words that are not 0, then these words
  std::size_t map = 0;      // how many words the map has
  Word sketch = 0;          // rows within others have sketches within theirs
};

inline Packed pack(const Word* row, std::size_t width) {
  Packed out;
  out.map = width / 64 + 1;  // never 0: no words at all mean that a pair was dropped
  out.words.resize(out.map);
  for (std::size_t w = 0; w < width; ++w) {
    if (row[w] == 0) continue;
    set(out.words.data(), w);
    out.words.push_back(row[w]);
    out.sketch |= std::rotl(row[w], static_cast<int>(w * 7 % 64));
  }
  out.words.shrink_to_fit();
  return out;
}

inline void unpack(const Packed& packed, std::size_t width, Word* row) {
  std::fill_n(row, width, Word{0});
  std::size_t next = packed.map;
  for_each_bit(packed.words.data(), packed.map, [&](std::size_t w) { row[w] = packed.words[next++]; });
}

inline bool within(const Packed& a, const Packed& b) {
  if ((a.sketch & ~b.sketch) != 0 || a.words.size() > b.words.size() || !within(a.words.data(), b.words.data(), a.map))
    return false;
  std::size_t next = a.map, other = b.map;
  for (std::size_t m = 0; m < a.map; ++m) {
    const Word mine = a.words[m], theirs = b.words[m];
    for (Word rest = mine; rest != 0; rest &= rest - 1) {
      const Word before = (rest & -rest) - 1;
      const Word there = b.words[other + static_cast<std::size_t>(std::popcount(theirs & before))];
      if ((a.words[next++] & ~there) != 0) return false;
    }
    other += static_cast<std::size_t>(std::popcount(theirs));
  }
  return true;
}

class Antichain {
 public:
  // `above`: by left state, those that simulate it. Pairs of different kinds are not compared.
  Antichain(const BitRows& above, std::size_t states, std::size_t kinds)
      : states_(states), above_(states), below_(states), bins_(states * kinds) {
    for (std::size_t p = 0; p < states; ++p) {
      for_each_bit(above[p], above.words, [&](std::size_t q) {
        above_[p].push_back(q);
        below_[q].push_back(p);
      });
    }
  }

  // Takes in a pair, unless one is there with a left state as large and a row within. Returns its number, or
  // -1. It is no longer compared with those that it makes needless. Of these, the ones numbered from `open`
  // to `next` keep their rows: words through them are shorter, and they are still to be looked at.
  std::int64_t add(std::size_t kind, std::size_t state, Packed&& row, std::size_t open, std::size_t next) {
    for (std::size_t q : above_[state]) {
      for (std::int64_t i : bin(kind, q)) {
        ++compared_;
        if (within(rows_[i], row)) return -1;
      }
    }
    for (std::size_t p : below_[state]) {
      std::erase_if(bin(kind, p), [&](std::int64_t i) {
        ++compared_;
        const auto number = static_cast<std::size_t>(i);
        if (!within(row, rows_[number])) return false;
        if (number < open || number >= next) drop(number);
        return true;
      });
    }
    bytes_ += row.words.size() * sizeof(Word) + sizeof(Packed) + kBytesBesides;
    rows_.push_back(std::move(row));
    bin(kind, state).push_back(static_cast<std::int64_t>(rows_.size()) - 1);
    return bin(kind, state).back();
  }

  void drop(std::size_t number) {
    bytes_ -= rows_[number].words.size() * sizeof(Word);
    rows_[number] = Packed{};
  }

  // Null if it was dropped.
  const Packed* row(std::size_t number) const { return rows_[number].words.empty() ? nullptr : &rows_[number]; }
  std::size_t size() const { return rows_.size(); }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t take_compared() { return std::exchange(compared_, 0); }

 private:
  static constexpr std::uint64_t kBytesBesides = 48;  // what the search keeps of a pair, and its place here

  std::vector<std::int64_t>& bin(std::size_t kind, std::size_t state) { return bins_[kind * states_ + state]; }

  std::size_t states_;
  std::vector<std::vector<std::size_t>> above_, below_;
  std::vector<std::vector<std::int64_t>> bins_;
  std::vector<Packed> rows_;
  std::uint64_t bytes_ = 0, compared_ = 0;
};

}  // namespace porf::automata
