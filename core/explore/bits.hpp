// Sets of small numbers as bits, of a size that is fixed when the engine is compiled.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace porf::explore {

template <int kWords>
struct Bits {
  std::array<std::uint64_t, kWords> word{};

  void set(std::int32_t i) { word[i >> 6] |= std::uint64_t{1} << (i & 63); }
  void reset(std::int32_t i) { word[i >> 6] &= ~(std::uint64_t{1} << (i & 63)); }
  bool test(std::int32_t i) const { return word[i >> 6] >> (i & 63) & 1; }
  bool any() const {
    for (int w = 0; w < kWords; ++w)
      if (word[w] != 0) return true;
    return false;
  }
  // By hand, since the instruction is not on every machine, and without it the library is called.
  std::int32_t count() const {
    std::uint64_t n = 0;
    for (int w = 0; w < kWords; ++w) {
      std::uint64_t x = word[w] - (word[w] >> 1 & 0x5555555555555555);
      x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
      n += ((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56;
    }
    return static_cast<std::int32_t>(n);
  }
  std::int32_t first() const {  // of a set that has one
    int w = 0;
    while (word[w] == 0) ++w;
    return w * 64 + std::countr_zero(word[w]);
  }
  std::int32_t last() const {  // of a set that has one
    int w = kWords - 1;
    while (word[w] == 0) --w;
    return w * 64 + 63 - std::countl_zero(word[w]);
  }
  bool meets(const Bits& other) const {
    for (int w = 0; w < kWords; ++w)
      if (word[w] & other.word[w]) return true;
    return false;
  }
  void add(const Bits& other) {
    for (int w = 0; w < kWords; ++w) word[w] |= other.word[w];
  }
  void remove(const Bits& other) {
    for (int w = 0; w < kWords; ++w) word[w] &= ~other.word[w];
  }
  bool contains(const Bits& other) const {
    for (int w = 0; w < kWords; ++w)
      if (other.word[w] & ~word[w]) return false;
    return true;
  }
  template <typename Visit>
  void each(Visit visit) const {
    for (int w = 0; w < kWords; ++w)
      for (std::uint64_t rest = word[w]; rest != 0; rest &= rest - 1) visit(w * 64 + std::countr_zero(rest));
  }
  // The numbers below n.
  static Bits below(std::int32_t n) {
    Bits out;
    for (int w = 0; w < n >> 6; ++w) out.word[w] = ~std::uint64_t{0};
    if (n & 63) out.word[n >> 6] = (std::uint64_t{1} << (n & 63)) - 1;
    return out;
  }

  friend Bits operator&(Bits a, const Bits& b) {
    for (int w = 0; w < kWords; ++w) a.word[w] &= b.word[w];
    return a;
  }
  friend bool operator==(const Bits& a, const Bits& b) { return a.word == b.word; }
};

}  // namespace porf::explore
