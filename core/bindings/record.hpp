// Plain structs bound as classes: each field is named once, and is then an attribute and a part of what is
// pickled.
#pragma once

#include <type_traits>

#include "bindings.hpp"

namespace porf::bindings {

template <typename Member>
struct Field {
  const char* name;
  Member member;
};

// The field of a struct; its name in Python is its name here.
#define FIELD(Record, name) \
  Field<decltype(&Record::name)> { #name, &Record::name }

template <typename Record, typename... Members>
nb::class_<Record> record(nb::module_& m, const char* name, Field<Members>... fields) {
  nb::class_<Record> bound(m, name);
  (bound.def_rw(fields.name, fields.member), ...);
  bound.def(
      "__getstate__", [=](const Record& r) { return nb::make_tuple(r.*fields.member...); },
      nb::sig("def __getstate__(self) -> tuple[object, ...]"));
  bound.def(
      "__setstate__",
      [=](Record& r, const nb::tuple& state) {
        new (&r) Record();
        std::size_t n = 0;
        ((r.*fields.member = nb::cast<std::remove_cvref_t<decltype(r.*fields.member)>>(state[n++])), ...);
      },
      nb::sig("def __setstate__(self, state: tuple[object, ...]) -> None"));
  return bound;
}

}  // namespace porf::bindings
