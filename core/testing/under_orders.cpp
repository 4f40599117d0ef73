// Tests under SC and TSO.
#include "explore/orders.hpp"
#include "testing/under.hpp"

namespace porf::testing {

using explore::EngineKind;
using explore::Kept;

namespace {

template <Kept kKept>
void run_orders(const Part& part) {
  switch (part.sizes.writes) {
    case 0:
      return run_tests<EngineKeeper<explore::Orders<kKept, 1>>>(part);
    case 1:
      return run_tests<EngineKeeper<explore::Orders<kKept, 4>>>(part);
    default:
      return run_tests<EngineKeeper<explore::Orders<kKept, 16>>>(part);
  }
}

}  // namespace

template <>
void test_under<EngineKind::kSc>(const Part& part) {
  run_orders<Kept::kSc>(part);
}
template <>
void test_under<EngineKind::kTso>(const Part& part) {
  run_orders<Kept::kTso>(part);
}

}  // namespace porf::testing
