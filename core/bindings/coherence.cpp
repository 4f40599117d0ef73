// coherence
#include "bindings.hpp"

namespace porf::bindings {

void bind_coherence(nb::module_&) {}

}  // namespace porf::bindings
