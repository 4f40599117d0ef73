// Tests under the models of the coherence family.
#include "explore/coherence.hpp"
#include "testing/live_writes.hpp"
#include "testing/under.hpp"

namespace porf::testing {

using explore::EngineKind;
using explore::Sync;

namespace {

// What chains that forget cannot do, an engine of exploration does.
template <Sync kSync>
void run_coherence(const Part& part) {
  part.sizes.writes > 0 ? run_tests<EngineKeeper<explore::Coherence<kSync, false, 16>>>(part)
                        : run_tests<LiveKeeper<LiveCoherence<kSync>>>(part);
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
  part.sizes.writes > 0 ? run_tests<EngineKeeper<explore::Coherence<Sync::kAll, true, 16>>>(part)
                        : run_tests<LiveKeeper<LiveWrites>>(part);
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
