// Exploration under RC20.
#include "explore/run_coherence.hpp"

namespace porf::explore {

template <>
Result explore_under<EngineKind::kRc20>(const Request& request, const Sizes& sizes) {
  return run_coherence<Sync::kOrders>(request, sizes);
}

}  // namespace porf::explore
