// Exploration under a model that asks for one total order, in four sizes.
#pragma once

#include "explore/orders.hpp"
#include "explore/run.hpp"

namespace porf::explore {

template <Kept kKept>
Result run_orders(const Request& request, const Sizes& sizes) {
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

}  // namespace porf::explore
