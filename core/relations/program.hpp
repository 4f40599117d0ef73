// A relation program: the definitions and axioms of a model as a flat list of instructions over registers,
// and the engine that runs it on one execution. What does not depend on the modification order is computed
// once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "relations/base.hpp"
#include "relations/matrix.hpp"

namespace porf::relations {

enum Opcode : std::int32_t {
  kBaseRel = 0,  // a: BaseRelation
  kBaseSetOf,    // a: BaseSet
  kEmpty,
  kUniverse,
  kUnion,
  kIntersection,  // c: 0 when the left operand's path explains a pair, 1 for the right one
  kDifference,
  kComplement,
  kCompose,
  kInverse,
  kPlus,
  kStar,
  kOptional,
  kIdentity,  // of a set
  kProduct,   // of two sets
  kDomain,
  kRange,
  kVariable,  // of a recursion: empty at first. c: its block
  kUpdate,    // a: the variable, b: its new value, c: its block
  kLoop,      // a: where to go on while the block c changes
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
  // For each axiom the instructions that it needs and earlier axioms did not: static ones, then those that
  // use mo.
  std::vector<std::vector<std::int32_t>> static_schedule, dynamic_schedule;

  // Throws std::invalid_argument where operands do not make sense.
  Program(std::vector<Instruction> instructions, std::vector<Axiom> checks);

  std::vector<char> needed_by(std::int32_t reg) const;

 private:
  void validate() const;
  void find_dynamic();
  void schedule();
  std::vector<std::pair<std::int32_t, std::int32_t>> blocks()
      const;  // first and last instruction of recursions
};

// A recursion that does not settle (only possible where it is not monotone).
struct Unsettled {
  std::int32_t instruction;
};

class Engine {
 public:
  Engine(const Program& program, const Events& events);

  const Shape& shape() const { return shape_; }
  const Events& events() const { return events_; }
  const Program& program() const { return program_; }

  // The modification order, transitively closed; whoever changes it keeps it so.
  Word* mo() { return mo_.data(); }
  const Word* mo() const { return mo_.data(); }
  void reset_order() { events_.initial_order(mo_.data()); }

  void run_static();
  // The first broken axiom among those that are not flagged, or -1. `partial`: mo is not total yet, so only
  // axioms that more mo cannot mend count.
  std::int32_t first_broken(bool partial);
  // Evaluates everything (after the first time: everything that uses mo); every register is then readable.
  void run_all();
  bool broken(std::int32_t axiom);
  const Word* get(std::int32_t reg) const { return registers_.data() + offset_[reg]; }

 private:
  void run(const std::vector<std::int32_t>& instructions);
  void execute(std::int32_t at);
  void execute_pointwise(const Instruction& i, Word* out, std::size_t size);
  void from_read(Word* out);
  Word* reg(std::int32_t r) { return registers_.data() + offset_[r]; }
  std::size_t size_of(std::int32_t r) const {
    return program_.code[r].kind == 1 ? shape_.words : shape_.size();
  }

  const Program& program_;
  const Events& events_;
  Shape shape_;
  std::vector<std::size_t> offset_;
  std::vector<Word> registers_;
  std::vector<Word> mo_, read_from_;  // read_from_: rf backwards, for fr
  std::vector<Word> full_;            // the row of all events
  std::vector<Word> scratch_;
  std::vector<std::int32_t> dynamic_;  // what run_all repeats
  bool complete_ = false;
  std::vector<char> changed_;  // a recursion's block
  std::size_t shrinks_ = 0;    // updates of a recursion that lost pairs
};

}  // namespace porf::relations
