#include "explore/floating.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace porf::explore {

namespace {

double number(std::int64_t bits) { return std::bit_cast<double>(bits); }
std::int64_t bits(double number) { return std::bit_cast<std::int64_t>(number); }
float single(std::int64_t bits) { return std::bit_cast<float>(static_cast<std::int32_t>(bits)); }
std::int64_t single_bits(float number) { return std::bit_cast<std::int32_t>(number); }

// Towards zero, and if that does not fit, to the nearest that does; what is no number becomes 0.
template <typename Integer>
std::int64_t integer(double value) {
  constexpr auto kLeast = std::numeric_limits<Integer>::min(), kMost = std::numeric_limits<Integer>::max();
  if (std::isnan(value)) return 0;
  if (value <= static_cast<double>(kLeast)) return static_cast<std::int64_t>(kLeast);
  if (value >= static_cast<double>(kMost)) return static_cast<std::int64_t>(kMost);
  return static_cast<std::int64_t>(static_cast<Integer>(value));
}

}  // namespace

std::int64_t float_binary(Binary kind, std::int64_t b, std::int64_t c) {
  double x = number(b), y = number(c);
  switch (kind) {
    case Binary::kFadd:
      return bits(x + y);
    case Binary::kFsub:
      return bits(x - y);
    case Binary::kFmul:
      return bits(x * y);
    case Binary::kFdiv:
      return bits(x / y);
    case Binary::kFrem:
      return bits(std::fmod(x, y));
    case Binary::kFmin:
      return bits(std::fmin(x, y));
    case Binary::kFmax:
      return bits(std::fmax(x, y));
    case Binary::kFeq:
      return x == y;
    case Binary::kFlt:
      return x < y;
    case Binary::kFle:
      return x <= y;
    default:
      return std::isunordered(x, y);
  }
}

std::int64_t float_unary(Unary kind, std::int64_t b) {
  double x = number(b);
  switch (kind) {
    case Unary::kWiden:
      return bits(static_cast<double>(single(b)));
    case Unary::kNarrow:
      return single_bits(static_cast<float>(x));
    case Unary::kIntToDouble:
      return bits(static_cast<double>(b));
    case Unary::kUintToDouble:
      return bits(static_cast<double>(static_cast<std::uint64_t>(b)));
    case Unary::kIntToFloat:
      return single_bits(static_cast<float>(b));
    case Unary::kUintToFloat:
      return single_bits(static_cast<float>(static_cast<std::uint64_t>(b)));
    case Unary::kDoubleToInt:
      return integer<std::int64_t>(x);
    case Unary::kDoubleToUint:
      return integer<std::uint64_t>(x);
    case Unary::kSqrt:
      return bits(std::sqrt(x));
    case Unary::kFloor:
      return bits(std::floor(x));
    case Unary::kCeil:
      return bits(std::ceil(x));
    case Unary::kTrunc:
      return bits(std::trunc(x));
    case Unary::kRound:
      return bits(std::round(x));
    default:
      return bits(std::nearbyint(x));
  }
}

std::int64_t float_modified(Modify kind, std::int64_t old, std::int64_t operand, std::uint8_t width) {
  if (width == 4) {
    float y = single(operand);
    return single_bits(single(old) + (kind == Modify::kFadd ? y : -y));
  }
  double y = number(operand);
  return bits(number(old) + (kind == Modify::kFadd ? y : -y));
}

}  // namespace porf::explore
