// Exploration under a model of the coherence family, in two sizes.
#pragma once

#include "explore/coherence.hpp"
#include "explore/run.hpp"

namespace porf::explore {

template <Sync kSync, bool kWeak = false>
Result run_coherence(const Request& request, const Sizes& sizes) {
  return sizes.writes > 0 ? run<Coherence<kSync, kWeak, 16>>(request, sizes)
                          : run<Coherence<kSync, kWeak, 1>>(request, sizes);
}

}  // namespace porf::explore
