// Exploration under C++20.
#include "explore/rc11.hpp"
#include "explore/run.hpp"

namespace porf::explore {

template <>
Result explore_under<EngineKind::kCpp20>(const Request& request, const Sizes& sizes) {
  return sizes.writes > 0 ? run<Rc11<Sync::kAtomicOrders, 16>>(request, sizes)
                          : run<Rc11<Sync::kAtomicOrders, 1>>(request, sizes);
}

}  // namespace porf::explore
