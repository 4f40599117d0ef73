// Exploration under WRA.
#include "explore/run_coherence.hpp"

namespace porf::explore {

template <>
Result explore_under<EngineKind::kWra>(const Request& request, const Sizes& sizes) {
  return run_coherence<Sync::kAll, true>(request, sizes);
}

}  // namespace porf::explore
