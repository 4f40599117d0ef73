// Tests under the models of the coherence family.
#include "explore/coherence.hpp"
#include "testing/under.hpp"

namespace porf::testing {

using explore::EngineKind;
using explore::Sync;

namespace {

template <Sync kSync, bool kWeak = false>
void run_coherence(const Part& part) {
  part.sizes.writes > 0 ? run_tests<explore::Coherence<kSync, kWeak, 16>>(part)
                        : run_tests<explore::Coherence<kSync, kWeak, 1>>(part);
}

}  // namespace

template <>
void test_under<EngineKind::kRelaxed>(const Part& part) {
  run_coherence<Sync::kNone>(part);
}
template <>
void test_under<EngineKind::kRc20>(const Part& part) {
  run_coherence<Sync::kOrders>(part);
}
template <>
void test_under<EngineKind::kRa>(const Part& part) {
  run_coherence<Sync::kAll>(part);
}
template <>
void test_under<EngineKind::kWra>(const Part& part) {
  run_coherence<Sync::kAll, true>(part);
}
template <>
void test_under<EngineKind::kRc11WithoutSc>(const Part& part) {
  run_coherence<Sync::kOwnWrites>(part);
}
template <>
void test_under<EngineKind::kCpp20WithoutSc>(const Part& part) {
  run_coherence<Sync::kAtomicOrders>(part);
}

}  // namespace porf::testing
