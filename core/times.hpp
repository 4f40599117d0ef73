// When operations began and ended, by one clock: what real time says of an execution.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

namespace porf {

// A row without a start says nothing of its time; without an end, an operation may take effect at any time after its
// start.
struct Times {
  std::span<const std::int64_t> start, end;  // empty: no row has a time

  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();

  bool known() const { return !start.empty(); }
  bool begins(std::int32_t e) const { return known() && start[e] != kNone; }
  bool ends(std::int32_t e) const { return begins(e) && end[e] != kNone; }
  // One had ended when the other began.
  bool before(std::int32_t e, std::int32_t f) const { return ends(e) && begins(f) && end[e] < start[f]; }
};

}  // namespace porf
