// Plain structs and enumerations as Python sees them: each field is named once, and enumerators not at all.
#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <type_traits>

#include "bindings.hpp"

namespace porf::bindings {

template <typename Member>
struct Field {
  const char* name;
  Member member;
};

// A vector that Python sees as an array.
template <typename Member>
struct ColumnField : Field<Member> {};

// A field of a struct, with its own name or another one in Python.
#define FIELD(Record, name) FIELD_AS(#name, Record, name)
#define FIELD_AS(text, Record, name) \
  Field<decltype(&Record::name)> { text, &Record::name }
#define COLUMN(Record, name)             \
  ColumnField<decltype(&Record::name)> { \
    {                                    \
      #name, &Record::name               \
    }                                    \
  }

template <typename Record, typename Member>
void show(nb::class_<Record>& bound, const Field<Member>& field) {
  bound.def_ro(field.name, field.member);
}

template <typename Record, typename Member>
void show(nb::class_<Record>& bound, const ColumnField<Member>& field) {
  def_column(bound, field.name, field.member);
}

// A struct that Python reads.
template <typename Record, typename... Fields>
nb::class_<Record> view(nb::module_& m, const char* name, const char* doc, const Fields&... fields) {
  nb::class_<Record> bound(m, name, doc);
  (show(bound, fields), ...);
  return bound;
}

template <typename Record, typename Value>
Value value_of(Value Record::*);

// A struct that Python makes, of all its fields in their order, and only hands on.
template <typename Record, typename... Members>
void part(nb::module_& m, const char* name, const char* doc, const Field<Members>&... fields) {
  nb::class_<Record>(m, name, doc)
      .def(nb::init<decltype(value_of(std::declval<Members>()))...>(), nb::arg(fields.name)...);
}

// A struct that Python reads, changes and pickles.
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

// The name of an enumerator as the compiler spells it in the name of this function, without its k; empty if
// no enumerator has the value.
template <auto kValue>
constexpr std::string_view spelled() {
#ifdef _MSC_VER
  const std::string_view function = __FUNCSIG__;
#else
  const std::string_view function = __PRETTY_FUNCTION__;
#endif
  const std::size_t at = function.rfind("::k");
  if (at == std::string_view::npos) return {};
  return function.substr(at + 3, function.find_first_of(";]>", at) - at - 3);
}

template <auto kValue, typename Enum>
void add_value(nb::enum_<Enum>& bound, bool strings) {
  std::string name, text;
  for (const char c : spelled<kValue>()) {
    if (std::isupper(c) && !name.empty()) {
      name += '_';
      text += '-';
    }
    name += static_cast<char>(std::toupper(c));
    text += static_cast<char>(std::tolower(c));
  }
  if (name.empty()) return;
  if (strings)
    bound.str_value(name.c_str(), kValue, text.c_str());
  else
    bound.value(name.c_str(), kValue);
}

// An enumeration of numbers below kEnd. Its members have the names that they have here: kPoLoc is PO_LOC and,
// if members are strings, "po-loc".
template <typename Enum, int kEnd = 16, typename... Extra>
nb::enum_<Enum> enumeration(nb::module_& m, const char* name, const Extra&... extra) {
  nb::enum_<Enum> bound(m, name, extra...);
  [&]<int... kNumbers>(std::integer_sequence<int, kNumbers...>) {
    (add_value<static_cast<Enum>(kNumbers)>(bound, (std::is_same_v<Extra, nb::is_str> || ...)), ...);
  }(std::make_integer_sequence<int, kEnd>());
  return bound;
}

}  // namespace porf::bindings
