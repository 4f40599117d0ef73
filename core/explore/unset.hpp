// Values with bits that were never set. Copying such a value is fine; using it is a bug, so it has to be carried.
//
// A register or a place that has such a value holds a *handle*: a number that begins with kHandle, and whose rest
// counts in the table of these values. A program may compute a number that begins in the same way: it is a handle only
// if the table has it.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "explore/program.hpp"

namespace porf::explore {

inline constexpr int kHandleBits = 40;
inline constexpr std::uint64_t kHandle = 0xA5C3D7;

// A number of which some bits were never set; these are 0 in `value`. The origin is the pointer to a place that nothing
// was written to, or the instruction that made the value.
struct Partial {
  std::int64_t value = 0;
  std::int64_t unset = 0;
  std::int64_t origin = -1;
};

// Some bytes of memory, and which of their bits were never set.
struct Bytes {
  std::uint64_t value = 0;
  std::uint64_t unset = 0;

  // One byte of a value.
  static Bytes of(const Partial& partial, std::int64_t at) {
    return {static_cast<std::uint64_t>(partial.value) >> 8 * at & 0xFF,
            static_cast<std::uint64_t>(partial.unset) >> 8 * at & 0xFF};
  }
  // Adds one byte, from the last to the first.
  void append(const Bytes& byte) {
    value = value << 8 | byte.value;
    unset = unset << 8 | byte.unset;
  }
  Partial partial(std::uint8_t width, std::int64_t origin) const;
};

class UnsetValues {
 public:
  // Cheap, and nearly exact: what is asked before `has`.
  static bool may_be(std::int64_t x) { return static_cast<std::uint64_t>(x) >> kHandleBits == kHandle; }

  bool has(std::int64_t x) const { return may_be(x) && index(x) < values_.size(); }

  // What a register holds, whether it is a handle or a plain number.
  Partial open(std::int64_t x) const { return has(x) ? values_[index(x)] : Partial{.value = x}; }

  // A plain number if all bits are set, otherwise a handle.
  std::int64_t close(Partial partial);

  // A value of so many bytes of which nothing is set.
  std::int64_t none(std::uint8_t width, bool is_signed, std::int64_t origin);

  std::int64_t origin(std::int64_t x) const { return open(x).origin; }

  // Arithmetic, of which at least one operand is a handle. False if the result cannot be known at all: a division.
  bool binary(Binary kind, std::int64_t b, std::int64_t c, std::int64_t& a);
  std::int64_t unary(Unary kind, std::int64_t b);
  std::int64_t wrap(std::int64_t x, std::uint8_t width, bool is_signed);

  // The part of a value that an access of several places has read so far, and the next part.
  std::int64_t joined(std::int64_t partial, std::int64_t next, std::uint8_t width, std::int64_t at);

 private:
  static std::size_t index(std::int64_t x) {
    return static_cast<std::size_t>(static_cast<std::uint64_t>(x) & ((std::uint64_t{1} << kHandleBits) - 1));
  }

  std::vector<Partial> values_;
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::size_t> known_;
};

}  // namespace porf::explore
