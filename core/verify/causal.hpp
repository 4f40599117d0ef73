// Checks the causal criteria once more, by plain means; shares nothing with the kernels but the columns.
#pragma once

#include <cstdint>

#include "execution.hpp"

namespace porf::verify {

enum class Causal : std::uint8_t { kCcv = 0, kCm = 1, kCcm = 2, kWccm = 3 };

// Plain reads and writes only.
bool satisfies(const Execution& x, Causal criterion);

}  // namespace porf::verify
