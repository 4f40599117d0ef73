// Exploration under the models that ask for one total order: an engine for each, in three sizes.
#include "explore/orders.hpp"

#include "explore/run.hpp"

namespace porf::explore {

namespace {

template <Kept kKept>
Result ordered(const Request& request, const Sizes& sizes) {
  switch (sizes.writes) {
    case 0:
      return run<Orders<kKept, 1>>(request, sizes);
    case 1:
      return run<Orders<kKept, 4>>(request, sizes);
    case 2:
      return run<Orders<kKept, 16>>(request, sizes);
    default:
      return run<Orders<kKept, 64>>(request, sizes);
  }
}

}  // namespace

Result explore_orders(const Request& request, const Sizes& sizes) {
  switch (request.settings.engine) {
    case EngineKind::kSra:
      return ordered<Kept::kSra>(request, sizes);
    case EngineKind::kTso:
      return ordered<Kept::kTso>(request, sizes);
    case EngineKind::kPso:
      return ordered<Kept::kPso>(request, sizes);
    default:
      return ordered<Kept::kSc>(request, sizes);
  }
}

}  // namespace porf::explore
