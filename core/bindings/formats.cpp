// formats
#include "bindings.hpp"

namespace porf::bindings {

void bind_formats(nb::module_&) {}

}  // namespace porf::bindings
