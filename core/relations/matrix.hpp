// Dense relations over events as bit matrices: a row of 64-bit words an event, and the few loops that everything else
// is made of. Each loop exists twice: for one word a row (at most 64 events) and for any number of words.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace porf::relations {

using Word = std::uint64_t;

struct Shape {
  std::size_t events = 0;
  std::size_t words = 0;  // of one row

  explicit Shape(std::size_t n) : events(n), words(n == 0 ? 1 : (n + 63) / 64) {}
  std::size_t size() const { return events * words; }
};

inline bool test(const Word* row, std::size_t at) { return (row[at / 64] >> (at % 64)) & 1; }
inline void set(Word* row, std::size_t at) { row[at / 64] |= Word{1} << (at % 64); }

template <typename Visit>
void for_each_bit(const Word* row, std::size_t words, Visit visit) {
  for (std::size_t w = 0; w < words; ++w) {
    for (Word rest = row[w]; rest != 0; rest &= rest - 1) {
      visit(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
    }
  }
}

// The first bit at or after a place, else `none`.
inline std::size_t next_bit(const Word* row, std::size_t words, std::size_t from, std::size_t none) {
  for (std::size_t w = from / 64; w < words; ++w) {
    const Word rest = w == from / 64 ? row[w] >> (from % 64) << (from % 64) : row[w];
    if (rest != 0) return w * 64 + static_cast<std::size_t>(std::countr_zero(rest));
  }
  return none;
}

// Calls `body` with the row length as a compile-time 1 where it is 1, so that inner loops vanish.
template <typename Body>
auto with_words(const Shape& shape, Body body) {
  if (shape.words == 1) return body(std::integral_constant<std::size_t, 1>{});
  return body(shape.words);
}

template <typename Words>
void or_row(Word* to, const Word* from, Words words) {
  for (std::size_t w = 0; w < words; ++w) to[w] |= from[w];
}

// `pulse` is called once a row: on large matrices a computation must be able to stop in the middle (by throwing).
template <typename Pulse>
void compose(const Shape& shape, const Word* left, const Word* right, Word* out, Pulse pulse) {
  with_words(shape, [&](auto words) {
    for (std::size_t i = 0; i < shape.events; ++i) {
      pulse();
      Word* row = out + i * words;
      std::fill_n(row, std::size_t{words}, Word{0});
      for_each_bit(left + i * words, words, [&](std::size_t k) { or_row(row, right + k * words, words); });
    }
  });
}

// Warshall's closure, in place.
template <typename Pulse>
void close_transitively(const Shape& shape, Word* matrix, Pulse pulse) {
  with_words(shape, [&](auto words) {
    for (std::size_t k = 0; k < shape.events; ++k) {
      pulse();
      const Word* via = matrix + k * words;
      for (std::size_t i = 0; i < shape.events; ++i) {
        if (i != k && test(matrix + i * words, k)) or_row(matrix + i * words, via, words);
      }
    }
  });
}

inline void invert(const Shape& shape, const Word* from, Word* out) {
  std::fill_n(out, shape.size(), Word{0});
  for (std::size_t i = 0; i < shape.events; ++i) {
    for_each_bit(from + i * shape.words, shape.words, [&](std::size_t j) { set(out + j * shape.words, i); });
  }
}

inline void add_identity(const Shape& shape, Word* matrix) {
  for (std::size_t i = 0; i < shape.events; ++i) set(matrix + i * shape.words, i);
}

inline bool is_empty(const Word* bits, std::size_t count) {
  return std::all_of(bits, bits + count, [](Word w) { return w == 0; });
}

inline bool is_irreflexive(const Shape& shape, const Word* matrix) {
  for (std::size_t i = 0; i < shape.events; ++i) {
    if (test(matrix + i * shape.words, i)) return false;
  }
  return true;
}

// Peels events without a successor until none is left (acyclic) or none can be peeled. Rows come in program
// order, so going backwards peels most of a thread in one pass. `alive` is scratch space of one row.
template <typename Pulse>
bool is_acyclic(const Shape& shape, const Word* matrix, Word* alive, Pulse pulse) {
  constexpr std::size_t kStride = 16;  // one successor is enough: a long row is not read to its end
  return with_words(shape, [&](auto words) {
    std::fill_n(alive, std::size_t{words}, Word{0});
    for (std::size_t i = 0; i < shape.events; ++i) set(alive, i);
    std::size_t left = shape.events;
    for (bool peeled = true; peeled && left != 0;) {
      peeled = false;
      pulse();
      for (std::size_t i = shape.events; i-- > 0;) {
        if (!test(alive, i)) continue;
        const Word* row = matrix + i * words;
        Word onward = 0;
        for (std::size_t from = 0; from < words && onward == 0; from += kStride) {
          const std::size_t to = std::min<std::size_t>(words, from + kStride);
          for (std::size_t w = from; w < to; ++w) onward |= row[w] & alive[w];
        }
        if (onward != 0) continue;
        alive[i / 64] &= ~(Word{1} << (i % 64));
        --left;
        peeled = true;
      }
    }
    return left == 0;
  });
}

}  // namespace porf::relations
