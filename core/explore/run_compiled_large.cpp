// Exploration under a compiled model file: graphs of up to 1024 nodes.
#include "explore/compiled.hpp"
#include "explore/run.hpp"
#include "explore/run_compiled.hpp"

namespace porf::explore {

Result run_compiled_large(const Request& request, const Sizes& sizes) { return run<Compiled<16>>(request, sizes); }

}  // namespace porf::explore
