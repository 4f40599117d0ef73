// Two events that do not go together, and when two accesses conflict.
#pragma once

#include <cstdint>

#include "explore/bugs.hpp"
#include "explore/graph.hpp"

namespace porf::explore {

// The other event, and what is wrong.
struct Conflict {
  Bug bug = Bug::kNone;
  std::int32_t other = -1;
};

// Of two accesses of a location, one is a write and one is not atomic: unless one happens before the other, they race.
inline bool may_race(const Event& a, const Event& b) {
  return (a.order == kNa || b.order == kNa) && (a.writes() || b.writes());
}

}  // namespace porf::explore
