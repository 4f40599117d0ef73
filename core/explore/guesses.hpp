// Guesses that leave executions out: of how waits end, and of threads that nothing tells apart
// (docs/design/exploration.md, "Waiting without waste" and "Symmetry"). If one turns out wrong, the exploration begins
// anew without it.
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

enum class Guess : std::uint8_t { kNone, kWoken, kUnique, kAlike, kSections, kSequences };

// Thrown.
struct WrongGuess {
  Guess guess;
};

}  // namespace porf::explore
