// Exploration under x86.
#include "explore/run_orders.hpp"

namespace porf::explore {

template <>
Result explore_under<EngineKind::kX86>(const Request& request, const Sizes& sizes) {
  return run_orders<Kept::kX86>(request, sizes);
}

}  // namespace porf::explore
