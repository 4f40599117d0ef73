#include "explore/unset.hpp"

#include <limits>

#include "explore/arithmetic.hpp"

namespace porf::explore {

namespace {

constexpr std::int64_t kSign = std::numeric_limits<std::int64_t>::min();

// All bits from the lowest of these on: a carry may reach any of them.
std::int64_t upwards(std::int64_t bits) { return bits | s(0 - u(bits)); }

// The least and the greatest number that a value may be.
struct Range {
  std::int64_t least, greatest;
};

Range signed_range(const Partial& p) {
  return {p.unset < 0 ? p.value | kSign : p.value, (p.value | p.unset) & (p.unset < 0 ? ~kSign : -1)};
}

bool below(std::int64_t a, std::int64_t b, bool is_signed) { return is_signed ? a < b : u(a) < u(b); }

// b < c: 1 or 0 if it is the same whatever the missing bits are, otherwise -1.
int less(const Partial& b, const Partial& c, bool is_signed) {
  Range x = is_signed ? signed_range(b) : Range{b.value, b.value | b.unset};
  Range y = is_signed ? signed_range(c) : Range{c.value, c.value | c.unset};
  if (below(x.greatest, y.least, is_signed)) return 1;
  return below(x.least, y.greatest, is_signed) ? -1 : 0;
}

int equal(const Partial& b, const Partial& c) {
  return ((b.value ^ c.value) & ~(b.unset | c.unset)) != 0 ? 0 : -1;  // two handles are never known to be equal
}

int opposite(int known) { return known < 0 ? known : 1 - known; }

int compared(Binary kind, const Partial& b, const Partial& c) {
  switch (kind) {
    case Binary::kEq:
      return equal(b, c);
    case Binary::kNe:
      return opposite(equal(b, c));
    case Binary::kLt:
      return less(b, c, true);
    case Binary::kGt:
      return less(c, b, true);
    case Binary::kLe:
      return opposite(less(c, b, true));
    case Binary::kGe:
      return opposite(less(b, c, true));
    case Binary::kUlt:
      return less(b, c, false);
    case Binary::kUgt:
      return less(c, b, false);
    case Binary::kUle:
      return opposite(less(c, b, false));
    case Binary::kUge:
      return opposite(less(b, c, false));
    default:  // of floating point
      return -1;
  }
}

// The bits of a result that are not known.
std::int64_t lost(Binary kind, const Partial& b, const Partial& c) {
  switch (kind) {
    case Binary::kAnd:
      return (b.unset & c.unset) | (b.unset & c.value) | (c.unset & b.value);
    case Binary::kOr:
      return (b.unset & c.unset) | (b.unset & ~c.value) | (c.unset & ~b.value);
    case Binary::kXor:
      return b.unset | c.unset;
    case Binary::kAdd:
    case Binary::kSub:
    case Binary::kMul:
      return upwards(b.unset | c.unset);
    case Binary::kShl:
    case Binary::kShr:
    case Binary::kUshr: {
      std::int64_t moved = 0;
      if (c.unset == 0) porf::explore::binary(kind, b.unset, c.value, moved);
      return c.unset != 0 ? -1 : moved;
    }
    default:
      return -1;
  }
}

}  // namespace

Partial Bytes::partial(std::uint8_t width, std::int64_t origin) const {
  return {wrap(s(value), width, true), wrap(s(unset), width, true), origin};
}

std::int64_t UnsetValues::close(Partial partial) {
  if (partial.unset == 0) return partial.value;
  partial.value &= ~partial.unset;
  auto [known, is_new] = known_.try_emplace({partial.value, partial.unset, partial.origin}, values_.size());
  if (is_new) values_.push_back(partial);
  return s(kHandle << kHandleBits | known->second);
}

std::int64_t UnsetValues::none(std::uint8_t width, bool is_signed, std::int64_t origin) {
  return close({0, porf::explore::wrap(-1, width, is_signed), origin});
}

bool UnsetValues::binary(Binary kind, std::int64_t left, std::int64_t right, std::int64_t& a) {
  Partial b = open(left), c = open(right);
  if (b.unset == 0 && c.unset == 0) return porf::explore::binary(kind, b.value, c.value, a);
  std::int64_t origin = b.unset != 0 ? b.origin : c.origin;
  if (sort_of(kind) == Sort::kDivision && c.unset != 0) return false;
  if (sort_of(kind) == Sort::kComparison) {
    int known = compared(kind, b, c);
    a = known >= 0 ? known : close({0, 1, origin});
    return true;
  }
  std::int64_t value = 0;
  if (!porf::explore::binary(kind, b.value, c.value, value)) return false;
  a = close({value, lost(kind, b, c), origin});
  return true;
}

std::int64_t UnsetValues::unary(Unary kind, std::int64_t x) {
  Partial b = open(x);
  std::int64_t value = 0;
  porf::explore::unary(kind, b.value, value);
  switch (kind) {
    case Unary::kInvert:
    case Unary::kWrap:
      return close({value, b.unset, b.origin});
    case Unary::kKnown:
      return b.value;
    case Unary::kNot:
      return b.value != 0 ? 0 : close({0, 1, b.origin});
    case Unary::kNeg:
      return close({value, upwards(b.unset), b.origin});
    default:
      return close({value, -1, b.origin});
  }
}

std::int64_t UnsetValues::wrap(std::int64_t x, std::uint8_t width, bool is_signed) {
  Partial b = open(x);
  return close(
      {porf::explore::wrap(b.value, width, is_signed), porf::explore::wrap(b.unset, width, is_signed), b.origin});
}

std::int64_t UnsetValues::joined(std::int64_t partial, std::int64_t next, std::uint8_t width, std::int64_t at) {
  std::int64_t moved = 0, whole = 0;
  binary(Binary::kShl, wrap(next, width, false), 8 * at, moved);
  binary(Binary::kOr, partial, moved, whole);
  return whole;
}

}  // namespace porf::explore
