// Checks CM, CCM and weak CCM once more, by plain means; shares nothing with the kernels but the columns.
#pragma once

#include <cstdint>
#include <span>

#include "execution.hpp"

namespace porf::verify {

enum class Causal : std::uint8_t { kCm = 1, kCcm = 2, kWccm = 3 };

enum class CausalFault : std::uint8_t {
  kNone = 0,
  kCyclic = 1,      // the causal order, a view, or what the axioms speak of
  kStoreOrder = 2,  // the witness does not follow the partial store order
};

// Plain reads and writes only. `rank` has each write's place in the witness's order of its location; CM does
// not look at it.
CausalFault check_causal(const Execution& x, Causal criterion, std::span<const std::int32_t> rank);

}  // namespace porf::verify
