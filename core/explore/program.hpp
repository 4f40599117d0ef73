// A program as the explorer runs it: one array of instructions, templates of threads, and objects in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "execution.hpp"
#include "explore/instructions.hpp"

namespace porf::explore {

// Operands are registers (>= 0) or constants (< 0: ~place in the template's pool). Jump targets are places in
// the whole code.
struct Instruction {
  Opcode opcode;
  std::uint8_t kind;   // of the enumeration that the instruction's row names
  std::uint8_t width;  // bytes; 0 for arithmetic that does not wrap
  bool is_signed;
  std::uint8_t order;
  std::uint8_t failure;
  bool weak;     // of a compare-exchange: it may fail for no reason
  bool aligned;  // of an access: its address must be a multiple of its width
  std::int32_t a, b, c, d, e;
};

struct Loop {
  std::vector<std::int32_t> live;  // registers whose values matter when an iteration begins
  std::int32_t saved = 0;          // the first register that keeps their values
};

struct Template {
  std::int32_t entry = 0;
  std::int32_t registers = 0;
  std::int32_t private_slots = 0;
  std::int32_t parameters = 0;
  std::int32_t signature = -1;  // the type of a function, by number; below 0 if it fits every call
  std::vector<std::int64_t> pool;
  std::vector<std::vector<std::int32_t>> argument_lists;
  std::vector<Loop> loops;
};

struct Cell {
  std::int32_t offset = 0;
  std::uint8_t width = 0;
  bool initialised = true;
  std::int64_t initial = 0;
};

struct Object {
  std::int64_t size = 0;
  std::int32_t code = -1;  // of a function: its template
  bool constant = false;
  std::vector<Cell> cells;
  bool raceless = false;  // while there are several threads, all its accesses are atomic, or none of them writes
};

// An object that each thread has for itself.
struct Local {
  std::int32_t slot = 0;
  std::int32_t size = 0;  // bytes
  std::vector<std::int64_t> words;
};

struct Start {
  std::int32_t code = 0;  // template
  std::vector<std::int64_t> arguments;
};

struct Watch {
  std::int32_t thread = 0;
  std::int32_t reg = 0;
};

struct Program {
  std::vector<Instruction> code;
  std::vector<Template> templates;
  std::vector<Object> objects;
  std::vector<Object> layouts;  // of allocated objects: one element, which repeats
  std::vector<Local> locals;
  std::vector<Start> starts;
  std::vector<Watch> watched;

  bool has(Opcode opcode) const {
    for (const Instruction& i : code)
      if (i.opcode == opcode) return true;
    return false;
  }
};

}  // namespace porf::explore
