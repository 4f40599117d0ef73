// What there is to know of the program form's instructions: their enumerations, and a row of facts for each.
#pragma once

#include <cstdint>

namespace porf::explore {

#define PORF_ENUM(type, text) enum class type : std::uint8_t {
#define PORF_VALUE(type, name, NAME, text) k##name,
#define PORF_END \
  }              \
  ;
#include "explore/instructions.def"

// Where a thread goes on after an instruction: at the next one, at its target, at either, nowhere.
enum class Onward : std::uint8_t { kNext, kJump, kBranch, kEnd };

// Who notices an instruction: nobody but who reads its registers; its thread; others.
enum class Effect : std::uint8_t { kPure, kLocal, kEvent };

// Fields of an instruction are named by their letters.
struct Facts {
  const char* text;
  Effect effect;
  const char* reads = "";     // operands: registers or constants
  const char* sets = "";      // registers
  const char* list = "";      // what is a list of further operands
  const char* counters = "";  // the first of kLoopCounters registers of a loop
  const char* target = "";    // what is a place in the code
  Onward onward = Onward::kNext;
};

inline constexpr std::int32_t kLoopCounters = 4;

inline constexpr Facts kFacts[] = {
#define PORF_ENUM(type, text)
#define PORF_VALUE(type, name, NAME, text)
#define PORF_END
#define PORF_BINARY(...)
#define PORF_OPCODE(name, NAME, words, kind, seen, ...) \
  {.text = words, .effect = Effect::k##seen __VA_OPT__(, ) __VA_ARGS__},
#include "explore/instructions.def"
};

constexpr const Facts& facts(Opcode opcode) { return kFacts[static_cast<std::size_t>(opcode)]; }

// A comparison gives 0 or 1, bitwise arithmetic keeps 0 and 1, a division by 0 fails.
enum class Sort : std::uint8_t { kPlain, kBitwise, kComparison, kDivision };

constexpr Sort sort_of(Binary binary) {
  constexpr Sort kSorts[] = {
#define PORF_ENUM(type, text)
#define PORF_VALUE(type, name, NAME, text)
#define PORF_END
#define PORF_OPCODE(...)
#define PORF_BINARY(name, NAME, text, sort) Sort::k##sort,
#include "explore/instructions.def"
  };
  return kSorts[static_cast<std::size_t>(binary)];
}

}  // namespace porf::explore
