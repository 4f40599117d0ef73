// Arithmetic of the virtual machine at the edges where C and C++ would be undefined.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "explore/arithmetic.hpp"

using namespace porf::explore;

namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max();

std::int64_t result(Binary kind, std::int64_t b, std::int64_t c) {
  std::int64_t a = 4711;
  REQUIRE(binary(kind, b, c, a));
  return a;
}

}  // namespace

TEST_CASE("sums, differences and products wrap around") {
  CHECK(result(Binary::kAdd, kGreatest, 1) == kLeast);
  CHECK(result(Binary::kSub, kLeast, 1) == kGreatest);
  CHECK(result(Binary::kMul, kLeast, -1) == kLeast);
  CHECK(result(Binary::kMul, kGreatest, 2) == -2);
}

TEST_CASE("division truncates as in C, floors as in Python, and never traps") {
  CHECK(result(Binary::kDiv, -7, 2) == -3);
  CHECK(result(Binary::kMod, -7, 2) == -1);
  CHECK(result(Binary::kFloorDiv, -7, 2) == -4);
  CHECK(result(Binary::kFloorMod, -7, 2) == 1);
  CHECK(result(Binary::kFloorDiv, 7, -2) == -4);
  CHECK(result(Binary::kFloorMod, 7, -2) == -1);
  CHECK(result(Binary::kUdiv, -1, 2) == kGreatest);
  CHECK(result(Binary::kUmod, -1, 10) == 5);  // 18446744073709551615
  for (const Binary kind : {Binary::kDiv, Binary::kFloorDiv}) CHECK(result(kind, kLeast, -1) == kLeast);
  for (const Binary kind : {Binary::kMod, Binary::kFloorMod}) CHECK(result(kind, kLeast, -1) == 0);
  std::int64_t a = 0;
  for (const Binary kind :
       {Binary::kDiv, Binary::kMod, Binary::kUdiv, Binary::kUmod, Binary::kFloorDiv, Binary::kFloorMod})
    CHECK_FALSE(binary(kind, 1, 0, a));
}

TEST_CASE("floor division and its rest belong together") {
  for (std::int64_t b = -20; b <= 20; ++b)
    for (std::int64_t c = -6; c <= 6; ++c) {
      if (c == 0) continue;
      const std::int64_t rest = result(Binary::kFloorMod, b, c);
      CHECK(result(Binary::kFloorDiv, b, c) * c + rest == b);
      CHECK((rest == 0 || (rest < 0) == (c < 0)));
      CHECK(result(Binary::kDiv, b, c) * c + result(Binary::kMod, b, c) == b);
    }
}

TEST_CASE("shifts by any number are defined") {
  CHECK(result(Binary::kShl, 1, 63) == kLeast);
  CHECK(result(Binary::kShl, 1, 64) == 0);
  CHECK(result(Binary::kShl, 1, -1) == 0);
  CHECK(result(Binary::kShr, -8, 1) == -4);
  CHECK(result(Binary::kShr, -8, 200) == -1);
  CHECK(result(Binary::kUshr, -1, 63) == 1);
  CHECK(result(Binary::kUshr, -1, 64) == 0);
}

TEST_CASE("comparisons know both signs") {
  CHECK(result(Binary::kLt, -1, 1) == 1);
  CHECK(result(Binary::kUlt, -1, 1) == 0);
  CHECK(result(Binary::kUge, -1, 1) == 1);
  CHECK(result(Binary::kMin, -1, 1) == -1);
  CHECK(result(Binary::kMax, -1, 1) == 1);
}

TEST_CASE("updates") {
  CHECK(modified(Modify::kExchange, 1, 2, 8, true) == 2);
  CHECK(modified(Modify::kNand, 6, 3, 8, false) == ~std::int64_t{2});
  CHECK(modified(Modify::kMin, -1, 1, 8, true) == -1);
  CHECK(modified(Modify::kMin, -1, 1, 8, false) == 1);
  CHECK(modified(Modify::kMax, -1, 1, 8, true) == 1);
  CHECK(modified(Modify::kMax, -1, 1, 8, false) == -1);
  CHECK(modified(Modify::kSub, kLeast, 1, 8, true) == kGreatest);
}

TEST_CASE("what so many bytes hold of a number") {
  CHECK(wrap(300, 1, false) == 44);
  CHECK(wrap(200, 1, true) == -56);
  CHECK(wrap(-1, 2, false) == 65535);
  CHECK(wrap(40000, 2, true) == 40000 - 65536);
  CHECK(wrap(-1, 4, false) == 4294967295);
  CHECK(wrap(std::int64_t{1} << 31, 4, true) == -(std::int64_t{1} << 31));
  for (const std::uint8_t width : {0, 8}) CHECK(wrap(kLeast, width, false) == kLeast);
}

TEST_CASE("floating point is that of IEEE 754, by its bits") {
  auto bits = [](double x) { return std::bit_cast<std::int64_t>(x); };
  auto of = [](Unary kind, std::int64_t b) {
    std::int64_t a = 4711;
    REQUIRE(unary(kind, b, a));
    return a;
  };
  CHECK(result(Binary::kFadd, bits(0.1), bits(0.2)) == bits(0.1 + 0.2));
  CHECK(result(Binary::kFlt, bits(-0.0), bits(0.0)) == 0);
  CHECK(result(Binary::kFunordered, bits(NAN), bits(0.0)) == 1);
  CHECK(of(Unary::kNarrow, bits(-2.0)) == -(std::int64_t{1} << 30));
  CHECK(of(Unary::kWiden, 0x3F800000) == bits(1.0));
  CHECK(of(Unary::kDoubleToInt, bits(1e300)) == kGreatest);
  CHECK(of(Unary::kDoubleToUint, bits(-1.0)) == 0);
  CHECK(of(Unary::kDoubleToInt, bits(NAN)) == 0);
  CHECK(modified(Modify::kFadd, 0x3F800000, 0x3F800000, 4, true) == 0x40000000);
}
