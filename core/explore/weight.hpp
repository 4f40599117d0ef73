// How hard the part of an execution that shows a bug is to read: of reports of the same bug, the lightest is kept.
#pragma once

#include <compare>
#include <cstdint>

#include "explore/graph.hpp"

namespace porf::explore {

struct Weight {
  std::int32_t events = 0;    // of the part
  std::int32_t switches = 0;  // from one thread to another, if each goes on for as long as it can
  std::int32_t stale = 0;     // reads that do not see what was written last in that order

  auto operator<=>(const Weight&) const = default;
};

// The part that comes before some events of a graph, and these.
class Part {
 public:
  // All of it.
  explicit Part(const Graph& g);
  // What is before one or two events; -1 is none.
  Part(const Graph& g, std::int32_t e, std::int32_t other);

  std::int32_t events() const;
  Weight weight(const Graph& g) const;

 private:
  std::vector<Clock> clock_;  // of each thread, how many events are in it
};

}  // namespace porf::explore
