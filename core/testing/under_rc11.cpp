// Tests under RC11 and C++20, of programs with SC events.
#include "explore/rc11.hpp"
#include "testing/under.hpp"

namespace porf::testing {

using explore::EngineKind;
using explore::Sync;

namespace {

template <Sync kSync>
void run_rc11(const Part& part) {
  part.sizes.writes > 0 ? run_tests<EngineKeeper<explore::Rc11<kSync, 16>>>(part)
                        : run_tests<EngineKeeper<explore::Rc11<kSync, 1>>>(part);
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
