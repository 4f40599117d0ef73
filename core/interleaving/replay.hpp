// Replaying rows against a memory: is a given order of events a sequentially consistent interleaving?
#pragma once

#include <cstdint>
#include <span>

#include "execution.hpp"

namespace porf::interleaving {

// Whether the rows, taken in their own order, read what was last written.
bool row_order_is_sequential(const Execution& x);

}  // namespace porf::interleaving
