// The virtual machine: runs the local code of a thread up to its next event, and says what that event is.
#pragma once

#include <cstdint>

#include "explore/memory_map.hpp"
#include "explore/program.hpp"

namespace porf::explore {

// What a thread does next, or why it does nothing more.
enum class Next : std::uint8_t {
  kLoad,
  kStore,
  kRmw,
  kCas,
  kFence,
  kSpawn,
  kJoin,
  kLock,
  kTry,
  kUnlock,
  kEnded,
  kAssumed,  // an assumption failed
  kSpins,    // an iteration of a loop had no effect, so the next will not, either
  kCut,      // a loop ran too often
  kHeld,     // its last event is a lock that waits for the mutex's holder
  kFailed,   // an error, reported when it was met
};

// What can be wrong with a program. Kept in step with porf.explore.bugs.
enum class Bug : std::uint8_t {
  kNone,
  kAssertion,
  kRace,
  kDeadlock,
  kUninitialised,
  kNowhere,
  kOutOfBounds,
  kMisaligned,
  kMixedWidth,
  kNotHeld,
  kDivision,
  kNoThread,  // join of what is not a thread
  kEndless,   // local code that does not end
};

struct Pending {
  Next next = Next::kEnded;
  Bug bug = Bug::kNone;
  std::uint8_t order = 0;
  std::uint8_t failure = 0;
  std::uint8_t kind = 0;  // of a read-modify-write
  std::uint8_t width = 0;
  bool is_signed = true;
  bool weak = false;
  std::int32_t pc = 0;
  std::int32_t loc = -1;
  std::int64_t value = 0;     // stored, or the operand; the handle to join
  std::int64_t expected = 0;  // of a compare-exchange; the message of an error; the loop that was cut
};

constexpr bool is_read(Next next) {
  return next == Next::kLoad || next == Next::kRmw || next == Next::kCas || next == Next::kLock ||
         next == Next::kTry;
}

class Machine {
 public:
  // `unroll`: iterations after which a loop is cut.
  Machine(const Program& program, MemoryMap& memory, std::int64_t unroll)
      : program_(program), memory_(memory), unroll_(unroll) {}

  // Runs from pc to the next event. `effects` counts the events of the thread so far that change anything.
  Pending run(const Template& code, std::int64_t* registers, std::int32_t pc, std::int32_t effects) const;

  // What the event at pc writes, given what it read; whether it writes at all.
  static bool modify(const Pending& op, std::int64_t old, std::int64_t& written);

  // Sets the registers that the event at pc sets.
  void finish(std::int64_t* registers, std::int32_t pc, std::int64_t read, bool wrote) const;

  static std::int64_t wrap(std::int64_t value, std::uint8_t width, bool is_signed);

 private:
  const Program& program_;
  MemoryMap& memory_;
  std::int64_t unroll_;
};

}  // namespace porf::explore
