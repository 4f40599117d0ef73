// Exploration under TSO.
#include "explore/run_orders.hpp"

namespace porf::explore {

template <>
Result explore_under<EngineKind::kTso>(const Request& request, const Sizes& sizes) {
  return run_orders<Kept::kTso>(request, sizes);
}

}  // namespace porf::explore
