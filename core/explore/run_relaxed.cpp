// Exploration under Relaxed.
#include "explore/run_coherence.hpp"

namespace porf::explore {

template <>
Result explore_under<EngineKind::kRelaxed>(const Request& request, const Sizes& sizes) {
  return run_coherence<Sync::kNone>(request, sizes);
}

}  // namespace porf::explore
