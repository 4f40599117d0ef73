// Tests under SC and TSO.
#include "explore/orders.hpp"
#include "testing/newest_writes.hpp"
#include "testing/store_buffers.hpp"
#include "testing/under.hpp"

namespace porf::testing {

using explore::EngineKind;
using explore::Kept;

namespace {

// What has overlapping places only an engine of exploration can keep.
template <Kept kKept, typename Long>
void run_orders(const Part& part) {
  switch (part.sizes.writes) {
    case 0:
      return run_tests<EngineKeeper<explore::Orders<kKept, 1>>, LiveKeeper<Long>>(part);
    case 1:
      return run_tests<EngineKeeper<explore::Orders<kKept, 4>>, LiveKeeper<Long>>(part);
    case 2:
      return run_tests<EngineKeeper<explore::Orders<kKept, 16>>, LiveKeeper<Long>>(part);
    default:
      return run_tests<EngineKeeper<explore::Orders<kKept, 16>>>(part);
  }
}

}  // namespace

template <>
void test_under<EngineKind::kSc>(const Part& part) {
  run_orders<Kept::kSc, NewestWrites>(part);
}
template <>
void test_under<EngineKind::kTso>(const Part& part) {
  run_orders<Kept::kTso, StoreBuffers>(part);
}

}  // namespace porf::testing
