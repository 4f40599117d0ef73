// Exploration under a compiled model file, in four sizes: a source file each, so that they are compiled side by side.
#pragma once

#include "explore/explore.hpp"
#include "explore/sizes.hpp"

namespace porf::explore {

Result run_compiled_small(const Request& request, const Sizes& sizes);
Result run_compiled_medium(const Request& request, const Sizes& sizes);
Result run_compiled_large(const Request& request, const Sizes& sizes);

}  // namespace porf::explore
