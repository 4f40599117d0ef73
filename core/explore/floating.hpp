// Arithmetic of IEEE 754 on numbers whose bits registers hold: doubles; floats as numbers of 32 bits, sign-extended.
// What is computed of floats is computed of doubles and rounded: of +, -, *, / and square roots that is the same.
#pragma once

#include <cstdint>

#include "explore/program.hpp"

namespace porf::explore {

// Both are only for kinds that are of floating point.
std::int64_t float_binary(Binary kind, std::int64_t b, std::int64_t c);
std::int64_t float_unary(Unary kind, std::int64_t b);

// A sum or difference of doubles, or if they have 4 bytes, of floats.
std::int64_t float_modified(Modify kind, std::int64_t old, std::int64_t operand, std::uint8_t width);

}  // namespace porf::explore
