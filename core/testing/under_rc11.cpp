// Tests under RC11 and C++20, of programs with SC events.
#include "explore/rc11.hpp"
#include "testing/under.hpp"

namespace porf::testing {

using explore::EngineKind;
using explore::Sync;

namespace {

// What has overlapping places or more than 64 threads only an engine of exploration can keep.
template <Sync kSync>
void run_rc11(const Part& part) {
  using Long = LiveKeeper<LiveCoherence<kSync, true>>;
  switch (part.sizes.writes) {
    case 0:
      return run_tests<EngineKeeper<explore::Rc11<kSync, 1>>, Long>(part);
    case 1:
    case 2:
      return run_tests<EngineKeeper<explore::Rc11<kSync, 16>>, Long>(part);
    default:
      return run_tests<EngineKeeper<explore::Rc11<kSync, 16>>>(part);
  }
}

}  // namespace

template <>
void test_under<EngineKind::kRc11>(const Part& part) {
  run_rc11<Sync::kOwnWrites>(part);
}
template <>
void test_under<EngineKind::kCpp20>(const Part& part) {
  run_rc11<Sync::kAtomicOrders>(part);
}

}  // namespace porf::testing
