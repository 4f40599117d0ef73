// What is known of a program's critical sections, to be handed from one exploration to another: see sections.hpp.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

namespace porf::explore {

// Mutexes and places are known by names that are the same in all explorations of a program, and so are objects.
struct SectionTable {
  std::vector<std::int64_t> whole;                                           // objects whose mutexes cannot be divided
  std::vector<std::tuple<std::int64_t, std::int64_t, std::int32_t>> groups;  // mutex, place, group
  bool given_up = false;                                                     // no mutex can

  bool operator==(const SectionTable&) const = default;
};

}  // namespace porf::explore
