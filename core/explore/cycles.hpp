// The executions in which program order and reads-from form a cycle, for models that allow such: each once.
//
// Events are added in program order. A read that takes its value from a write that is not there yet either waits for
// it, if that write does not come after the read by program order and reads-from, or *foresees* it: the read takes one
// of the values that its location may get, its thread goes on, and a write of this value is its source when it arrives.
// An execution leaves no choice: it says of each read whether its source is there, is waited for, or is foreseen, and
// with which value. So each is built in one way.
#pragma once

#include "explore/explore.hpp"
#include "explore/sizes.hpp"

namespace porf::explore {

Result explore_cycles(const Request& request, const Sizes& sizes);

}  // namespace porf::explore
