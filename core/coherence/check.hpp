// The kernels of Tunç et al. 2023: reads-from consistency for Relaxed, RC20, RA, WRA and SRA, each with raw evidence.
#pragma once

#include <cstdint>
#include <vector>

#include "budget.hpp"
#include "coherence/scan.hpp"
#include "coherence/schedule.hpp"
#include "execution.hpp"
#include "memory.hpp"

namespace porf::coherence {

using Result = Finding;

Result check_coherence(const Execution& x, Sync sync, Budget& budget);  // Theorems 1.1 and 1.6
Result check_wra(const Execution& x, Budget& budget);                   // Theorem 1.5
Result check_sra(const Execution& x, Budget& budget);                   // Theorems 1.3 and 1.4

// A happens-before path of few steps: rows from `from` to `to`; step i is po (0) or rf (1). Empty when there is none.
struct Path {
  Ints rows;
  Large<std::uint8_t> steps;
};
Path happens_before_path(const Execution& x, Sync sync, std::int32_t from, std::int32_t to);

// The verdict on an execution that has no schedule.
Result broken_by(Schedule&& schedule);

// The modification order that executes writes in the given order of rows.
void order_of_writes(const Execution& x, const Ints& rows, Result& result);

}  // namespace porf::coherence
