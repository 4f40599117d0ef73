// relations
#include "bindings.hpp"

namespace porf::bindings {

void bind_relations(nb::module_&) {}

}  // namespace porf::bindings
