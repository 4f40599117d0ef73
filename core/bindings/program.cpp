// The program form: its instructions and the facts of each, pointers, and whole programs for the explorer.
#include "explore/program.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "explore/arithmetic.hpp"
#include "explore/frame.hpp"
#include "explore/pointer.hpp"
#include "record.hpp"

namespace porf::bindings {

namespace {

using namespace porf::explore;

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
  enumeration<Onward>(m, "Onward", "Where a thread goes on after an instruction.");
  enumeration<Effect>(m, "Effect", "Who notices an instruction.");
  enumeration<Sort>(m, "Sort", "What is special about an operation on two operands.");
}

void bind_facts(nb::module_& m) {
  view<Facts>(m, "Facts", "What there is to know of an instruction. Fields are named by their letters.",
              FIELD(Facts, text), FIELD(Facts, effect), FIELD(Facts, reads), FIELD(Facts, sets), FIELD(Facts, list),
              FIELD(Facts, counters), FIELD(Facts, target), FIELD(Facts, onward));
  m.def("instruction_facts", &facts, "opcode"_a, nb::rv_policy::reference);
  m.def("kind_of", &kind_of, "opcode"_a, nb::sig("def kind_of(opcode: Opcode) -> type[enum.IntEnum] | None"),
        "The enumeration of an instruction's kind.");
  m.def("sort_of", &sort_of, "binary"_a);
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
      "kind"_a, "b"_a, "c"_a);
  m.def(
      "compute_unary",
      [](Unary kind, std::int64_t b) {
        std::int64_t a = 0;
        return unary(kind, b, a) ? std::optional(a) : std::nullopt;
      },
      "kind"_a, "b"_a);
  m.def("wrap", &wrap, "value"_a, "width"_a, "is_signed"_a, "The number that so many bytes hold of a value.");
}

// Python counts objects from 0.
void bind_pointers(nb::module_& m) {
  m.def(
      "pointer", [](std::int64_t object, std::int64_t offset) { return pointer_to(object + 1, offset); }, "object"_a,
      "offset"_a = 0, "The pointer to a byte of an object.");
  m.def(
      "object_of", [](std::int64_t pointer) { return number_of(pointer) - 1; }, "pointer"_a,
      "The object that a pointer points into; below 0 if it is none.");
  m.def(
      "nearest_object", [](std::int64_t pointer) { return nearest_number(pointer) - 1; }, "pointer"_a,
      "The object that a pointer is in or next to: just before an object is out of its bounds, too.");
  m.def("offset_of", &offset_of, "pointer"_a, "The byte of its object that a pointer points to.");
  m.def("private_slots", &slots_of, "size"_a, "How many slots a private object of so many bytes takes.");
  m.def("is_private", &is_private, "pointer"_a, "Whether a pointer is one to private memory.");
}

void bind_parts(nb::module_& m) {
  part<Instruction>(m, "Instruction", "Operands are registers, or below 0 constants.", FIELD(Instruction, opcode),
                    FIELD(Instruction, kind), FIELD(Instruction, width), FIELD_AS("signed", Instruction, is_signed),
                    FIELD(Instruction, order), FIELD(Instruction, failure), FIELD(Instruction, weak),
                    FIELD(Instruction, aligned), FIELD(Instruction, a), FIELD(Instruction, b), FIELD(Instruction, c),
                    FIELD(Instruction, d), FIELD(Instruction, e));
  part<Loop>(m, "Loop", "The registers that it needs, and where it keeps them.", FIELD(Loop, live), FIELD(Loop, saved));
  part<Template>(m, "Template", "A function.", FIELD(Template, entry), FIELD(Template, registers),
                 FIELD(Template, private_slots), FIELD(Template, parameters), FIELD(Template, signature),
                 FIELD(Template, pool), FIELD(Template, argument_lists), FIELD(Template, loops));
  part<Cell>(m, "Cell", "A part of an object that is accessed as a whole.", FIELD(Cell, offset), FIELD(Cell, width),
             FIELD(Cell, initialised), FIELD(Cell, initial));
  part<Object>(m, "Object", "Shared memory, or a function.", FIELD(Object, size), FIELD_AS("template", Object, code),
               FIELD(Object, constant), FIELD(Object, cells), FIELD(Object, raceless));
  part<Local>(m, "Local", "An object that each thread has for itself.", FIELD(Local, slot), FIELD(Local, size),
              FIELD(Local, words));
  part<Start>(m, "Start", "A thread that is there from the start.", FIELD_AS("template", Start, code),
              FIELD(Start, arguments));
  part<Watch>(m, "Watch", "A register of the final state.", FIELD(Watch, thread), FIELD_AS("register", Watch, reg));
  using explore::Program;
  part<Program>(m, "Program", "A program as the explorer runs it; made by porf.programs.lower.", FIELD(Program, code),
                FIELD(Program, templates), FIELD(Program, objects), FIELD(Program, layouts), FIELD(Program, locals),
                FIELD(Program, starts), FIELD(Program, watched));
}

}  // namespace

void bind_program(nb::module_& m) {
  bind_enumerations(m);
  bind_facts(m);
  bind_arithmetic(m);
  bind_pointers(m);
  bind_parts(m);
}

}  // namespace porf::bindings
