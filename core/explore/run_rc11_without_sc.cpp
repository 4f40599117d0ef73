// Exploration under RC11, of programs without SC events.
#include "explore/run_coherence.hpp"

namespace porf::explore {

template <>
Result explore_under<EngineKind::kRc11WithoutSc>(const Request& request, const Sizes& sizes) {
  return run_coherence<Sync::kOwnWrites>(request, sizes);
}

}  // namespace porf::explore
