// Guesses of how waits end, which leave executions out (docs/design/exploration.md, "Waiting without waste"). If one
// turns out wrong, the exploration starts again without it.
#pragma once

#include <cstdint>

#include "explore/pointer.hpp"

namespace porf::explore {

// Of which values no location gets one twice.
enum class Unique : std::uint8_t { kNone, kPointers, kAll };

struct Guesses {
  bool woken = true;  // who gets what another one gives back need never wait for that again
  Unique unique = Unique::kAll;

  bool covers(std::int64_t value) const {
    return unique == Unique::kAll || (unique == Unique::kPointers && number_of(value) != 0);
  }
};

struct WrongGuess {
  bool woken = false;  // or else unique
};

}  // namespace porf::explore
