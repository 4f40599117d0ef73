// Exploration under a compiled model file: graphs of up to 256 nodes.
#include "explore/compiled.hpp"
#include "explore/run.hpp"
#include "explore/run_compiled.hpp"

namespace porf::explore {

Result run_compiled_medium(const Request& request, const Sizes& sizes) { return run<Compiled<4>>(request, sizes); }

}  // namespace porf::explore
