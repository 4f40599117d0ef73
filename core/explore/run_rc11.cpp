// Exploration under RC11.
#include "explore/rc11.hpp"
#include "explore/run.hpp"

namespace porf::explore {

template <>
Result explore_under<EngineKind::kRc11>(const Request& request, const Sizes& sizes) {
  return sizes.writes > 0 ? run<Rc11<Sync::kOwnWrites, 16>>(request, sizes)
                          : run<Rc11<Sync::kOwnWrites, 1>>(request, sizes);
}

}  // namespace porf::explore
