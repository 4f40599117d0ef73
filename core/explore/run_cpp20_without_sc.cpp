// Exploration under C++20, of programs without SC events.
#include "explore/run_coherence.hpp"

namespace porf::explore {

template <>
Result explore_under<EngineKind::kCpp20WithoutSc>(const Request& request, const Sizes& sizes) {
  return run_coherence<Sync::kAtomicOrders>(request, sizes);
}

}  // namespace porf::explore
