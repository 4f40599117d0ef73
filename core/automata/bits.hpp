// Tables of bit sets, a row of words each, and the few questions about sets that automata ask.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "relations/matrix.hpp"

namespace porf::automata {

using relations::for_each_bit;
using relations::or_row;
using relations::set;
using relations::test;
using relations::Word;

// A number as an index.
inline std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

struct BitRows {
  std::size_t words = 0;  // of one row
  std::vector<Word> data;

  BitRows() = default;
  BitRows(std::size_t rows, std::size_t bits) : words((bits + 63) / 64), data(rows * words) {}

  Word* operator[](std::size_t row) { return data.data() + row * words; }
  const Word* operator[](std::size_t row) const { return data.data() + row * words; }
};

inline bool meets(const Word* a, const Word* b, std::size_t words) {
  for (std::size_t w = 0; w < words; ++w) {
    if ((a[w] & b[w]) != 0) return true;
  }
  return false;
}

inline bool within(const Word* a, const Word* b, std::size_t words) {
  for (std::size_t w = 0; w < words; ++w) {
    if ((a[w] & ~b[w]) != 0) return false;
  }
  return true;
}

}  // namespace porf::automata
