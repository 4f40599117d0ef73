// Exploration under PSO.
#include "explore/run_orders.hpp"

namespace porf::explore {

template <>
Result explore_under<EngineKind::kPso>(const Request& request, const Sizes& sizes) {
  return run_orders<Kept::kPso>(request, sizes);
}

}  // namespace porf::explore
