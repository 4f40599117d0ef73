// Exploration under SC.
#include "explore/run_orders.hpp"

namespace porf::explore {

template <>
Result explore_under<EngineKind::kSc>(const Request& request, const Sizes& sizes) {
  return run_orders<Kept::kSc>(request, sizes);
}

}  // namespace porf::explore
