// A program as the explorer runs it: one array of instructions, templates of threads, and objects in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "execution.hpp"

namespace porf::explore {

enum class Opcode : std::uint8_t {
  kMove,
  kBinary,
  kUnary,
  kSelect,
  kJump,
  kJumpIf,
  kJumpUnless,
  kHead,
  kBack,
  kAssume,
  kAssert,
  kFail,
  kExit,
  kCall,
  kReturn,
  kAddress,
  kAllocate,
  kSelf,
  kPrint,
  kLoad,
  kStore,
  kRmw,
  kCas,
  kFence,
  kSpawn,
  kJoin,
  kLock,
  kUnlock,
  kTrylock,
  kFree,
  kChoose,
  kBarrier,
};

enum class Binary : std::uint8_t {
  kAdd,
  kSub,
  kMul,
  kDiv,
  kMod,
  kAnd,
  kOr,
  kXor,
  kShl,
  kShr,
  kUshr,
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kUlt,
  kUle,
  kUgt,
  kUge,
  kUdiv,
  kUmod,
  kFloorDiv,
  kFloorMod,
  kMin,
  kMax,
};

enum class Unary : std::uint8_t { kNeg, kInvert, kNot, kWrap, kCell, kRoom };
enum class Modify : std::uint8_t { kExchange, kAdd, kSub, kAnd, kOr, kXor, kNand, kMin, kMax };

// Operands are registers (>= 0) or constants (< 0: ~place in the template's pool). Jump targets are places in
// the whole code.
struct Instruction {
  Opcode opcode;
  std::uint8_t kind;
  std::uint8_t width;  // bytes; 0 for arithmetic that does not wrap
  bool is_signed;
  std::uint8_t order;
  std::uint8_t failure;
  bool weak;
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
  std::vector<Cell> cells;
};

enum class Allocation : std::uint8_t { kHeap, kZeroed, kStack };

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
