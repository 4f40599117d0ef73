// Plain structs bound as classes: each field is named once, and is then an attribute, and a part of what is
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

template <typename Member>
Field<Member> field(const char* name, Member member) {
  return {name, member};
}

// Fingerprints are many: they cross as an array.
inline auto to_python(const std::vector<std::uint64_t>& values) {
  return to_numpy(std::vector<std::uint64_t>(values));
}

template <typename Value>
Value from_python(const nb::handle& value) {
  if constexpr (std::is_same_v<Value, std::vector<std::uint64_t>>) {
    auto column = nb::cast<Column<std::uint64_t>>(value);
    return {column.data(), column.data() + column.size()};
  } else {
    return nb::cast<Value>(value);
  }
}

template <typename Record, typename Member>
void bind_field(nb::class_<Record>& bound, const Field<Member>& f) {
  using Value = std::remove_cvref_t<decltype(std::declval<Record&>().*f.member)>;
  if constexpr (std::is_same_v<Value, std::vector<std::uint64_t>>)
    bound.def_prop_ro(
        f.name, [member = f.member](const Record& r) { return to_python(r.*member); },
        nb::rv_policy::automatic);
  else
    bound.def_rw(f.name, f.member);
}

template <typename Record, typename Member>
nb::object state_of(const Record& r, const Field<Member>& f) {
  using Value = std::remove_cvref_t<decltype(r.*f.member)>;
  if constexpr (std::is_same_v<Value, std::vector<std::uint64_t>>)
    return nb::cast(to_python(r.*f.member));
  else
    return nb::cast(r.*f.member);
}

template <typename Record, typename... Members>
nb::class_<Record> record(nb::module_& m, const char* name, Field<Members>... fields) {
  nb::class_<Record> bound(m, name);
  (bind_field(bound, fields), ...);
  bound.def(
      "__getstate__", [=](const Record& r) { return nb::make_tuple(state_of(r, fields)...); },
      nb::sig("def __getstate__(self) -> tuple[object, ...]"));
  bound.def(
      "__setstate__",
      [=](Record& r, const nb::tuple& state) {
        new (&r) Record();
        std::size_t n = 0;
        ((r.*fields.member =
              from_python<std::remove_cvref_t<decltype(r.*fields.member)>>(nb::object(state[n++]))),
         ...);
      },
      nb::sig("def __setstate__(self, state: tuple[object, ...]) -> None"));
  return bound;
}

}  // namespace porf::bindings
