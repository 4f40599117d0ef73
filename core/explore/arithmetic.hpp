// Arithmetic of the virtual machine, on 64-bit numbers that wrap around.
#pragma once

#include <cstdint>

#include "explore/program.hpp"

namespace porf::explore {

inline std::uint64_t u(std::int64_t x) { return static_cast<std::uint64_t>(x); }
inline std::int64_t s(std::uint64_t x) { return static_cast<std::int64_t>(x); }

// False if it divides by zero, or makes a pair.
bool binary(Binary kind, std::int64_t b, std::int64_t c, std::int64_t& a);

// False if it asks for memory and is no arithmetic.
bool unary(Unary kind, std::int64_t b, std::int64_t& a);

// What an update of so many bytes makes of the old value and an operand.
std::int64_t modified(Modify kind, std::int64_t old, std::int64_t operand, std::uint8_t width, bool is_signed);

// The number that so many bytes hold of a value; 0 and 8: all of it.
std::int64_t wrap(std::int64_t value, std::uint8_t width, bool is_signed);

}  // namespace porf::explore
