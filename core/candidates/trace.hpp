// A trace: what one thread of a litmus test does in an execution, with the values that its reads see.
#pragma once

#include <cstdint>
#include <vector>

#include "execution.hpp"

namespace porf::candidates {

using Mask = std::uint64_t;  // of events of a trace, so it has at most 64
inline constexpr std::size_t kMostEvents = 64;

struct Event {
  std::uint8_t op = kFence, order = kNa;
  std::int32_t loc = -1;
  std::int64_t read = 0, written = 0;
  std::uint64_t tags = 0;
  Mask addr = 0, data = 0, ctrl = 0;  // the events that it depends on
  std::int32_t linked = -1;           // of a store-conditional: its load-linked
  std::int32_t pc = 0;

  bool reads() const { return op == kRead || op == kUpdate; }
  bool writes() const { return op == kWrite || op == kUpdate; }
};

// How a trace ends: the thread does; a loop was cut; or the thread accesses what is no location.
enum class End : std::uint8_t { kDone, kCut, kNowhere };

struct Trace {
  std::vector<Event> events;
  std::vector<std::int64_t> registers;
  End end = End::kDone;
  std::int32_t pc = 0;  // of the end
};

}  // namespace porf::candidates
