// verify
#include "bindings.hpp"

namespace porf::bindings {

void bind_verify(nb::module_&) {}

}  // namespace porf::bindings
