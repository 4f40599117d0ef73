// Exploration under SRA.
#include "explore/run_orders.hpp"

namespace porf::explore {

template <>
Result explore_under<EngineKind::kSra>(const Request& request, const Sizes& sizes) {
  return run_orders<Kept::kSra>(request, sizes);
}

}  // namespace porf::explore
