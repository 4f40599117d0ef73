// Linearizability of registers whose reads are known to have read which write: zones of time (Gibbons and Korach 1997),
// with atomic updates. Near-linear.
#pragma once

#include <cstdint>

#include "budget.hpp"
#include "execution.hpp"
#include "memory.hpp"
#include "times.hpp"

namespace porf::registers {

struct Zones {
  Answer answer = Answer::kConsistent;
  Limit limit = Limit::kNone;
  Ints mo;                       // when consistent: each location's writes in order,
  Large<std::int64_t> mo_start;  // location x's from mo_start[x] to mo_start[x + 1]
  Ints part;                     // otherwise: with what they read, and so on, these rows show it
};

// Are there moments, one in the time of each operation, at which the operations could have taken place? Without an end,
// an operation may take place at any time after its start; so a write that nobody reads may as well never do so.
Zones check_zones(const Execution& x, const Times& times, Budget& budget);

}  // namespace porf::registers
