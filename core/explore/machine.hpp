// The virtual machine: runs the local code of a thread up to its next event, and says what that event is.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/arithmetic.hpp"
#include "explore/bugs.hpp"
#include "explore/dependencies.hpp"
#include "explore/frame.hpp"
#include "explore/memory_map.hpp"
#include "explore/program.hpp"
#include "explore/thread_table.hpp"

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
  kFree,
  kChoose,
  kBarrier,
  kEnded,
  kAssumed,  // an assumption failed
  kAwaits,   // likewise, but until then it should wait
  kSpins,    // an iteration of a loop had no effect, so the next will not, either
  kCut,      // a loop ran too often, or calls are too deep
  kHeld,     // its last event is a lock that waits for the mutex's holder
  kFailed,   // an error, reported when it was met
};

// How large the stack of a thread is, in slots, and whether it may grow.
struct StackSize {
  std::int32_t slots = 0;
  bool grows = true;
};

// The kind of a load that only finds out what a place of another width holds, before the access that needs it.
inline constexpr std::uint8_t kRecalls = 0xff;

struct Pending {
  Next next = Next::kEnded;
  Bug bug = Bug::kNone;
  std::uint8_t order = 0;
  std::uint8_t failure = 0;
  std::uint8_t kind = 0;  // of a read-modify-write or a load
  std::uint8_t width = 0;
  bool is_signed = true;
  bool weak = false;
  std::int32_t pc = 0;
  std::int32_t loc = -1;
  std::int32_t depends = 0;   // what the event depends on: a number of Dependencies
  std::int64_t value = 0;     // stored, or the operand; the handle to join; the object to free; the last choice
  std::int64_t expected = 0;  // of a compare-exchange; the message of an error; the loop that was cut; the
                              // first choice
  // The value that was last tried out, to see whether the thread would wait with it.
  mutable std::int64_t tried = 0;
  mutable bool is_tried = false;
  mutable bool waits = false;
};

constexpr bool is_read(Next next) {
  return next == Next::kLoad || next == Next::kRmw || next == Next::kCas || next == Next::kLock || next == Next::kTry;
}

// What a thread printed, and after which of its events.
struct Printed {
  std::int32_t event = -1;
  std::int32_t thread = 0;
  std::int32_t pc = 0;
  std::vector<std::int64_t> values;
};

class Machine {
 public:
  // `unroll`: iterations after which a loop is cut.
  Machine(const Program& program, MemoryMap& memory, ThreadTable& threads, std::int64_t unroll, StackSize stack)
      : program_(program),
        memory_(memory),
        threads_(threads),
        unroll_(unroll),
        stack_(stack),
        root_(first_base(program)) {}

  // From now on it is followed what values depend on, beside the states of threads.
  void track(Dependencies* dependencies) { dependencies_ = dependencies; }

  // The state of a thread before its first instruction.
  void begin(std::int64_t* state, std::int32_t code) const;

  // Who runs, how many events it had so far, and which of them was the last that changed anything.
  struct Who {
    std::int32_t thread = 0;
    std::int32_t events = 0;
    std::int32_t effect = 0;
  };

  // Runs from pc to the next event. What is printed goes to `out`, if anybody wants it.
  Pending run(const Who& who, std::int64_t* state, std::int32_t pc, std::vector<Printed>* out = nullptr) const;

  // What the event at pc writes, given what it read; whether it writes at all.
  static bool modify(const Pending& op, std::int64_t old, std::int64_t& written);
  // Whether it writes something else than it read, whatever that is.
  static bool always_changes(const Pending& op) {
    auto kind = static_cast<Modify>(op.kind);
    bool adds = op.next == Next::kRmw && (kind == Modify::kAdd || kind == Modify::kSub || kind == Modify::kXor);
    return adds && wrap(op.value, op.width, op.is_signed) != 0;
  }

  // Sets the registers that the event at pc sets, an access of so many bytes; where the thread goes on.
  std::int32_t finish(std::int64_t* state, std::int32_t pc, std::int64_t read, bool wrote, std::uint8_t width) const;

  // The event at pc, which has this index in its thread and is an access of so many bytes, sets registers next.
  void depend(std::int64_t* state, std::int32_t pc, std::int32_t index, std::uint8_t width) const {
    if (dependencies_ != nullptr && state[kShadow] != 0)
      dependencies_->finish(program_.code[static_cast<std::size_t>(pc)], state, index, width);
  }

  // The template that a call or the start of a thread runs; -1 if its pointer is that of no function.
  std::int32_t callee(const Instruction& i, const std::int64_t* state) const;

  // The value of an operand in the present frame.
  std::int64_t operand(const std::int64_t* state, std::int32_t operand) const {
    return operand >= 0
               ? state[state[kBase] + operand]
               : program_.templates[static_cast<std::size_t>(state[kCode])].pool[static_cast<std::size_t>(~operand)];
  }
  const std::vector<std::int32_t>& arguments(const Instruction& i, const std::int64_t* state) const {
    return program_.templates[static_cast<std::size_t>(state[kCode])].argument_lists[static_cast<std::size_t>(i.d)];
  }

  // Where the registers of a thread's first frame begin.
  std::int32_t root() const { return root_; }

 private:
  class Steps;

  // The number that an instruction's width holds of a value.
  std::int64_t wrapped(std::int64_t value, const Instruction& i) const {
    if (memory_.unset().has(value)) [[unlikely]]
      return memory_.unset().wrap(value, i.width, i.is_signed);
    return wrap(value, i.width, i.is_signed);
  }

  // A private object begins, with zeros or with nothing set; or it ends.
  void begin_object(std::int64_t* state, std::int64_t slot, std::int64_t size, bool is_set) const;
  void end_object(std::int64_t* state, std::int64_t slot) const;

  // How many bytes the object has that a private pointer points into; -1 if it is gone.
  std::int64_t private_size(const std::int64_t* state, std::int64_t pointer) const;

  // An access of private memory, at once. Bug::kNone if it is a good one.
  Bug access_private(const Instruction& i, std::int64_t* state, std::int64_t pointer) const;

  const Program& program_;
  MemoryMap& memory_;
  ThreadTable& threads_;
  std::int64_t unroll_;
  StackSize stack_;
  std::int32_t root_;
  Dependencies* dependencies_ = nullptr;
};

}  // namespace porf::explore
