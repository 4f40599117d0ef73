// The program form: its instructions and the facts of each, pointers, and whole programs for the explorer.
#include "explore/program.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "bindings.hpp"
#include "explore/arithmetic.hpp"
#include "explore/pointer.hpp"

namespace porf::bindings {

namespace {

using namespace porf::explore;

using Ints = std::vector<std::int32_t>;
using Longs = std::vector<std::int64_t>;

struct None {};

template <typename Kind>
nb::object type_or_none() {
  nb::handle type = nb::type<Kind>();
  return type.is_valid() ? nb::borrow(type) : nb::none();
}

// The enumeration of an instruction's kind, as Python knows it.
nb::object kind_of(Opcode opcode) {
  switch (opcode) {
#define PORF_ENUM(...)
#define PORF_VALUE(...)
#define PORF_END
#define PORF_BINARY(...)
#define PORF_OPCODE(name, NAME, text, kind, ...) \
  case Opcode::k##name:                          \
    return type_or_none<kind>();
#include "explore/instructions.def"
  }
  return nb::none();
}

void bind_enumerations(nb::module_& m) {
#define PORF_ENUM(type, text) \
  {                           \
    auto e = nb::enum_<type>(m, #type, text, nb::is_arithmetic());
#define PORF_VALUE(type, name, NAME, text) e.value(#NAME, type::k##name, text);
#define PORF_END }
#include "explore/instructions.def"
  nb::enum_<Onward>(m, "Onward", "Where a thread goes on after an instruction.")
      .value("NEXT", Onward::kNext)
      .value("JUMP", Onward::kJump)
      .value("BRANCH", Onward::kBranch)
      .value("END", Onward::kEnd);
  nb::enum_<Effect>(m, "Effect", "Who notices an instruction.")
      .value("PURE", Effect::kPure)
      .value("LOCAL", Effect::kLocal)
      .value("EVENT", Effect::kEvent);
  nb::enum_<Sort>(m, "Sort", "What is special about an operation on two operands.")
      .value("PLAIN", Sort::kPlain)
      .value("BITWISE", Sort::kBitwise)
      .value("COMPARISON", Sort::kComparison)
      .value("DIVISION", Sort::kDivision);
}

void bind_facts(nb::module_& m) {
  nb::class_<Facts>(m, "Facts", "What there is to know of an instruction. Fields are named by their letters.")
      .def_ro("text", &Facts::text)
      .def_ro("effect", &Facts::effect)
      .def_ro("reads", &Facts::reads)
      .def_ro("sets", &Facts::sets)
      .def_ro("list", &Facts::list)
      .def_ro("counters", &Facts::counters)
      .def_ro("target", &Facts::target)
      .def_ro("onward", &Facts::onward);
  m.def("instruction_facts", &facts, nb::arg("opcode"), nb::rv_policy::reference);
  m.def("kind_of", &kind_of, nb::arg("opcode"),
        nb::sig("def kind_of(opcode: Opcode) -> type[enum.IntEnum] | None"),
        "The enumeration of an instruction's kind.");
  m.def("sort_of", &sort_of, nb::arg("binary"));
  m.attr("LOOP_COUNTERS") = kLoopCounters;
}

// What is known of arithmetic before a program runs: None if it fails, or asks for memory.
void bind_arithmetic(nb::module_& m) {
  m.def(
      "compute_binary",
      [](Binary kind, std::int64_t b, std::int64_t c) {
        std::int64_t a = 0;
        return binary(kind, b, c, a) ? std::optional(a) : std::nullopt;
      },
      nb::arg("kind"), nb::arg("b"), nb::arg("c"));
  m.def(
      "compute_unary",
      [](Unary kind, std::int64_t b) {
        std::int64_t a = 0;
        return unary(kind, b, a) ? std::optional(a) : std::nullopt;
      },
      nb::arg("kind"), nb::arg("b"));
  m.def("wrap", &wrap, nb::arg("value"), nb::arg("width"), nb::arg("is_signed"),
        "The number that so many bytes hold of a value.");
}

// Python counts objects from 0.
void bind_pointers(nb::module_& m) {
  m.def(
      "pointer", [](std::int64_t object, std::int64_t offset) { return pointer_to(object + 1, offset); },
      nb::arg("object"), nb::arg("offset") = 0, "The pointer to a byte of an object.");
  m.def(
      "object_of", [](std::int64_t pointer) { return number_of(pointer) - 1; }, nb::arg("pointer"),
      "The object that a pointer points into; below 0 if it is none.");
  m.def(
      "nearest_object", [](std::int64_t pointer) { return nearest_number(pointer) - 1; }, nb::arg("pointer"),
      "The object that a pointer is in or next to: just before an object is out of its bounds, too.");
  m.def("offset_of", &offset_of, nb::arg("pointer"), "The byte of its object that a pointer points to.");
  m.def("is_private", &is_private, nb::arg("pointer"), "Whether a pointer is one to private memory.");
}

void bind_parts(nb::module_& m) {
  nb::class_<Instruction>(m, "Instruction")
      .def(nb::init<Opcode, std::uint8_t, std::uint8_t, bool, std::uint8_t, std::uint8_t, bool, std::int32_t,
                    std::int32_t, std::int32_t, std::int32_t, std::int32_t>(),
           nb::arg("opcode"), nb::arg("kind"), nb::arg("width"), nb::arg("signed"), nb::arg("order"),
           nb::arg("failure"), nb::arg("weak"), nb::arg("a"), nb::arg("b"), nb::arg("c"), nb::arg("d"),
           nb::arg("e"));
  nb::class_<Loop>(m, "Loop").def(nb::init<Ints, std::int32_t>(), nb::arg("live"), nb::arg("saved"));
  nb::class_<Template>(m, "Template")
      .def(nb::init<std::int32_t, std::int32_t, std::int32_t, std::int32_t, Longs, std::vector<Ints>,
                    std::vector<Loop>>(),
           nb::arg("entry"), nb::arg("registers"), nb::arg("private_slots"), nb::arg("parameters"),
           nb::arg("pool"), nb::arg("argument_lists"), nb::arg("loops"));
  nb::class_<Cell>(m, "Cell").def(nb::init<std::int32_t, std::uint8_t, bool, std::int64_t>(),
                                  nb::arg("offset"), nb::arg("width"), nb::arg("initialised"),
                                  nb::arg("initial"));
  nb::class_<Object>(m, "Object")
      .def(nb::init<std::int64_t, std::int32_t, std::vector<Cell>>(), nb::arg("size"), nb::arg("template"),
           nb::arg("cells"));
  nb::class_<Local>(m, "Local")
      .def(nb::init<std::int32_t, std::int32_t, Longs>(), nb::arg("slot"), nb::arg("size"), nb::arg("words"));
  nb::class_<Start>(m, "Start")
      .def(nb::init<std::int32_t, Longs>(), nb::arg("template"), nb::arg("arguments"));
  nb::class_<Watch>(m, "Watch")
      .def(nb::init<std::int32_t, std::int32_t>(), nb::arg("thread"), nb::arg("register"));
}

}  // namespace

void bind_program(nb::module_& m) {
  bind_enumerations(m);
  bind_facts(m);
  bind_arithmetic(m);
  bind_pointers(m);
  bind_parts(m);
  nb::class_<explore::Program>(m, "Program",
                               "A program as the explorer runs it; made by porf.programs.lower.")
      .def(nb::init<std::vector<Instruction>, std::vector<Template>, std::vector<Object>, std::vector<Object>,
                    std::vector<Local>, std::vector<Start>, std::vector<Watch>>(),
           nb::arg("code"), nb::arg("templates"), nb::arg("objects"), nb::arg("layouts"), nb::arg("locals"),
           nb::arg("starts"), nb::arg("watched"));
}

}  // namespace porf::bindings
