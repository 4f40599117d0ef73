// Exploration under RA.
#include "explore/run_coherence.hpp"

namespace porf::explore {

template <>
Result explore_under<EngineKind::kRa>(const Request& request, const Sizes& sizes) {
  return run_coherence<Sync::kAll>(request, sizes);
}

}  // namespace porf::explore
