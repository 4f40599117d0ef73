// Exploration under a compiled model file: graphs of up to 64 nodes.
#include "explore/compiled.hpp"
#include "explore/run.hpp"
#include "explore/run_compiled.hpp"

namespace porf::explore {

Result run_compiled_small(const Request& request, const Sizes& sizes) { return run<Compiled<1>>(request, sizes); }

}  // namespace porf::explore
