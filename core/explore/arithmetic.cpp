#include "explore/arithmetic.hpp"

#include <algorithm>
#include <limits>

#include "explore/floating.hpp"

namespace porf::explore {

namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

}  // namespace

bool binary(Binary kind, std::int64_t b, std::int64_t c, std::int64_t& a) {
  switch (kind) {
    case Binary::kAdd:
      a = s(u(b) + u(c));
      return true;
    case Binary::kSub:
      a = s(u(b) - u(c));
      return true;
    case Binary::kMul:
      a = s(u(b) * u(c));
      return true;
    case Binary::kDiv:
      if (c == 0) return false;
      a = b == kLeast && c == -1 ? b : b / c;
      return true;
    case Binary::kMod:
      if (c == 0) return false;
      a = c == -1 ? 0 : b % c;
      return true;
    case Binary::kAnd:
      a = b & c;
      return true;
    case Binary::kOr:
      a = b | c;
      return true;
    case Binary::kXor:
      a = b ^ c;
      return true;
    case Binary::kShl:
      a = u(c) > 63 ? 0 : s(u(b) << c);
      return true;
    case Binary::kShr:
      a = b >> (u(c) > 63 ? 63 : c);
      return true;
    case Binary::kUshr:
      a = u(c) > 63 ? 0 : s(u(b) >> c);
      return true;
    case Binary::kEq:
      a = b == c;
      return true;
    case Binary::kNe:
      a = b != c;
      return true;
    case Binary::kLt:
      a = b < c;
      return true;
    case Binary::kLe:
      a = b <= c;
      return true;
    case Binary::kGt:
      a = b > c;
      return true;
    case Binary::kGe:
      a = b >= c;
      return true;
    case Binary::kUlt:
      a = u(b) < u(c);
      return true;
    case Binary::kUle:
      a = u(b) <= u(c);
      return true;
    case Binary::kUgt:
      a = u(b) > u(c);
      return true;
    case Binary::kUge:
      a = u(b) >= u(c);
      return true;
    case Binary::kUdiv:
      if (c == 0) return false;
      a = s(u(b) / u(c));
      return true;
    case Binary::kUmod:
      if (c == 0) return false;
      a = s(u(b) % u(c));
      return true;
    case Binary::kFloorDiv:
      if (c == 0) return false;
      if (b == kLeast && c == -1) return a = b, true;
      a = b / c - (b % c != 0 && (b < 0) != (c < 0));
      return true;
    case Binary::kFloorMod:
      if (c == 0) return false;
      if (c == -1) return a = 0, true;
      a = b % c;
      if (a != 0 && (a < 0) != (c < 0)) a += c;
      return true;
    case Binary::kMin:
      a = std::min(b, c);
      return true;
    case Binary::kMax:
      a = std::max(b, c);
      return true;
    case Binary::kFadd:
    case Binary::kFsub:
    case Binary::kFmul:
    case Binary::kFdiv:
    case Binary::kFrem:
    case Binary::kFmin:
    case Binary::kFmax:
    case Binary::kFeq:
    case Binary::kFlt:
    case Binary::kFle:
    case Binary::kFunordered:
      a = float_binary(kind, b, c);
      return true;
    case Binary::kPair:
      return false;
  }
  return false;
}

bool unary(Unary kind, std::int64_t b, std::int64_t& a) {
  switch (kind) {
    case Unary::kNeg:
      a = s(0 - u(b));
      return true;
    case Unary::kInvert:
      a = ~b;
      return true;
    case Unary::kNot:
      a = b == 0;
      return true;
    case Unary::kWrap:
    case Unary::kKnown:
      a = b;
      return true;
    case Unary::kCell:
    case Unary::kRoom:
    case Unary::kLow:
    case Unary::kHigh:
      return false;
    case Unary::kWiden:
    case Unary::kNarrow:
    case Unary::kIntToDouble:
    case Unary::kUintToDouble:
    case Unary::kIntToFloat:
    case Unary::kUintToFloat:
    case Unary::kDoubleToInt:
    case Unary::kDoubleToUint:
    case Unary::kSqrt:
    case Unary::kFloor:
    case Unary::kCeil:
    case Unary::kTrunc:
    case Unary::kRound:
    case Unary::kRoundEven:
      a = float_unary(kind, b);
      return true;
  }
  return false;
}

std::int64_t modified(Modify kind, std::int64_t old, std::int64_t v, std::uint8_t width, bool is_signed) {
  std::int64_t r = v;
  switch (kind) {
    case Modify::kExchange:
      break;
    case Modify::kAdd:
      r = s(u(old) + u(v));
      break;
    case Modify::kSub:
      r = s(u(old) - u(v));
      break;
    case Modify::kAnd:
      r = old & v;
      break;
    case Modify::kOr:
      r = old | v;
      break;
    case Modify::kXor:
      r = old ^ v;
      break;
    case Modify::kNand:
      r = ~(old & v);
      break;
    case Modify::kMin:
      r = is_signed ? std::min(old, v) : s(std::min(u(old), u(v)));
      break;
    case Modify::kMax:
      r = is_signed ? std::max(old, v) : s(std::max(u(old), u(v)));
      break;
    case Modify::kFadd:
    case Modify::kFsub:
      r = float_modified(kind, old, v, width);
      break;
  }
  return r;
}

std::int64_t wrap(std::int64_t value, std::uint8_t width, bool is_signed) {
  switch (width) {
    case 1:
      return is_signed ? static_cast<std::int8_t>(value) : static_cast<std::uint8_t>(value);
    case 2:
      return is_signed ? static_cast<std::int16_t>(value) : static_cast<std::uint16_t>(value);
    case 4:
      if (is_signed) return static_cast<std::int32_t>(value);  // both in one expression would be unsigned
      return static_cast<std::uint32_t>(value);
    default:
      return value;
  }
}

}  // namespace porf::explore
