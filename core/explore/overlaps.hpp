// Places that overlap, because some memory is accessed with several widths. Each width has a location of its own, and a
// place gets a new location, a new *age*, when an overlapping one was written in between. The new one begins with what
// the bytes hold then. That is a function of what comes before the access: whatever overlaps and is not ordered with it
// by happens-before is an error, which the detector of races finds.
#pragma once

#include <cstdint>

#include "explore/graph.hpp"
#include "explore/memory_map.hpp"

namespace porf::explore {

// Whether two places share a byte of one object.
inline bool overlap(const Place& a, const Place& b) {
  return number_of(a.pointer) == number_of(b.pointer) && offset_of(a.pointer) < b.end() &&
         offset_of(b.pointer) < a.end();
}

class Overlaps {
 public:
  explicit Overlaps(MemoryMap& memory) : memory_(memory) {}

  // A thread whose last event is `after` comes to an access of a place that others may overlap with: finds the
  // location of its age. If several writes may be the last one at another width, the thread must read that first:
  // then this is what it does next.
  void renew(const Graph& g, std::int32_t thread, std::int32_t after, Pending& pending) const;

  // For people: the last write that an event gets bytes of, if it reads what its location holds at first.
  std::int32_t origin(const Graph& g, std::int32_t e) const;

 private:
  std::int32_t age(const Graph& g, const Clock* before, std::int32_t loc) const;
  std::int32_t last_write(const Graph& g, const Clock* before, std::int32_t loc, bool& open) const;

  MemoryMap& memory_;
};

}  // namespace porf::explore
