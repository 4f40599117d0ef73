// A relation program: the definitions and axioms of a model as a flat list of instructions over registers, and the
// engine that runs it on one execution. What does not depend on the modification order is computed once.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace porf::relations {

enum Opcode : std::int32_t {
#define OPCODE(constant, name, kinds) constant,
#include "relations/opcodes.def"
#undef OPCODE
  kOpcodes
};

struct Instruction {
  std::int32_t op = 0, a = -1, b = -1, c = 0;
  std::int32_t kind = 0;  // of the register: 0 a relation, 1 a set
};

enum Check : std::int32_t { kAcyclic = 0, kIrreflexive = 1, kIsEmpty = 2 };

struct Axiom {
  std::int32_t reg = 0, check = kAcyclic;
  bool negated = false;
  bool flagged = false;  // reports, never rejects
  bool monotone = true;  // in mo: once broken, more mo never mends it
  bool uses_mo = false;  // filled in by Program
};

struct Program {
  std::vector<Instruction> code;  // instruction i defines register i, from lower registers
  std::vector<Axiom> axioms;
  std::vector<char> dynamic;  // a register: depends on mo
  // For each axiom the instructions that it needs and earlier axioms did not: static ones, then those that use mo.
  std::vector<std::vector<std::int32_t>> static_schedule, dynamic_schedule;

  // Throws std::invalid_argument where operands do not make sense.
  Program(std::vector<Instruction> instructions, std::vector<Axiom> checks);

  std::vector<char> needed_by(std::int32_t reg) const;

 private:
  void validate() const;
  void find_dynamic();
  void schedule();
  // First and last instruction of each recursion and of each kMember to kGather.
  std::vector<std::pair<std::int32_t, std::int32_t>> blocks() const;
};

}  // namespace porf::relations
