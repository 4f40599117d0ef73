// The extension module: each family binds itself in a file of its own.
#include "bindings.hpp"

NB_MODULE(_core, m) {
  m.doc() = "The compiled core of porf: integer columns in, integer columns out.";
  porf::bindings::bind_formats(m);
  porf::bindings::bind_generate(m);
  porf::bindings::bind_relations(m);
  porf::bindings::bind_coherence(m);
  porf::bindings::bind_verify(m);
}
