// How much threads of programs do between two events. Whoever runs them counts that as steps of a budget, for it may
// take longer than many events do.
#pragma once

#include <cstdint>

namespace porf::explore {

// What this thread of the core has run since it asked last, in steps of a budget.
std::uint64_t steps_since();

}  // namespace porf::explore
