// How much memory a process has in use, and how it ends when its parent does.
#pragma once

#include <cstdint>

namespace porf {

// Of this process, or of one with a number. 0 where the system does not say.
std::uint64_t resident_bytes(int process = 0);

// From here on, this process ends when the one that made it does, however that ends, where the system knows of that.
void end_with_parent();

}  // namespace porf
