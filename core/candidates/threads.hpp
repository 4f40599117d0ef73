// The traces of a thread: it is run by itself, once for each choice of the values that its reads may see.
#pragma once

#include <bitset>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <vector>

#include "budget.hpp"
#include "candidates/places.hpp"
#include "candidates/trace.hpp"
#include "explore/program.hpp"

namespace porf::candidates {

// What a location may hold, location by location.
using Values = std::vector<std::set<std::int64_t>>;

// What a load-linked or a store-conditional is, among loads and compare-exchanges. The success of a store-conditional
// carries dependencies: from nothing; from what its address and value, and the address that was reserved, came from;
// or from the store itself.
// Of an assumption: it was guessed which way the thread goes, and nothing depends on that; or an arm begins or ends
// here, and what follows the arm no longer depends on the branches in it. What is assumed is the number of the arm,
// from 1.
enum class Exclusive : std::uint8_t { kNone, kLinks, kOfNothing, kOfSources, kOfItself, kGuessed, kArm, kJoined };

// What an instruction's event is on the program's architecture.
struct Mark {
  std::uint64_t tags = 0;
  Exclusive exclusive = Exclusive::kNone;
};

// Why a program has no candidate executions here.
enum class Why : std::uint8_t { kInstruction, kTooLong, kMixedWidth };

struct Refused : std::runtime_error {
  Refused(Why w, std::int32_t where) : std::runtime_error("refused"), why(w), pc(where) {}
  Why why;
  std::int32_t pc;
};

class Threads {
 public:
  // `unroll`: how often a loop may go round, if that changes something. `of_reads`: what a compare-exchange that fails
  // keeps of its tags.
  Threads(const explore::Program& program, const std::vector<Mark>& marks, Places& places, std::int64_t unroll,
          std::uint64_t of_reads, Budget& budget)
      : program_(program), marks_(marks), places_(places), unroll_(unroll), of_reads_(of_reads), budget_(budget) {}

  // Throws Refused; stops early when the budget is spent.
  std::vector<Trace> traces(std::int32_t thread, const Values& values);

 private:
  static constexpr std::size_t kRegisters = 256;
  using Live = std::bitset<kRegisters>;

  // The state of a thread when it came to the head of a loop: a place that a jump leads back to.
  struct Visit {
    std::int32_t head = 0;
    std::int64_t times = 0;
    std::size_t writes = 0;
    std::vector<std::int64_t> registers;
    std::vector<Mask> sources, picks;
  };

  struct State {
    std::int32_t pc = 0;
    std::vector<std::int64_t> registers;
    std::vector<Mask> sources;  // of a register: the reads that its value comes from
    std::vector<Mask> picks;    // and those that conditions come from by which it was selected
    Mask branches = 0;          // what branches depended on so far
    std::vector<Mask> arms;     // the same, where each arm began
    Mask picked = 0;            // what addresses were selected by
    std::int32_t linked = -1;   // the load-linked that a store-conditional may succeed after
    Mask reserved = 0;          // what its address came from
    std::size_t writes = 0;
    std::vector<Event> events;
    std::vector<Visit> visits;
  };

  void run(State state, const Values& values, std::vector<Trace>& out);
  // One instruction; false if the state goes no further, because the trace has ended or others go on from it.
  bool step(State& state, const explore::Instruction& i, const Values& values, std::vector<Trace>& out);
  bool access(State& state, const explore::Instruction& i, const Values& values, std::vector<Trace>& out);
  void conditional(State state, const explore::Instruction& i, Event event, const Values& values,
                   std::vector<Trace>& out);
  void finish(State& state, End end, std::vector<Trace>& out);
  // At the head of a loop; false if the thread need not go on.
  bool enter(State& state, std::vector<Trace>& out);
  void find_heads();
  void find_live();

  const Mark& mark(const State& state) const { return marks_[static_cast<std::size_t>(state.pc)]; }
  std::int64_t value(const State& state, std::int32_t operand) const {
    return operand >= 0 ? state.registers[static_cast<std::size_t>(operand)]
                        : code_->pool[static_cast<std::size_t>(~operand)];
  }
  Mask source(const State& state, std::int32_t operand) const {
    return operand >= 0 ? state.sources[static_cast<std::size_t>(operand)] : 0;
  }
  Mask pick(const State& state, std::int32_t operand) const {
    return operand >= 0 ? state.picks[static_cast<std::size_t>(operand)] : 0;
  }
  static void set(State& state, std::int32_t reg, std::int64_t value, Mask source, Mask pick = 0) {
    state.registers[static_cast<std::size_t>(reg)] = value;
    state.sources[static_cast<std::size_t>(reg)] = source;
    state.picks[static_cast<std::size_t>(reg)] = pick;
  }

  const explore::Program& program_;
  const std::vector<Mark>& marks_;  // of its instructions
  Places& places_;
  std::int64_t unroll_;
  std::uint64_t of_reads_;
  Budget& budget_;
  const explore::Template* code_ = nullptr;
  std::uint64_t bytes_ = 0;            // of all traces so far
  std::int32_t thread_ = 0, end_ = 0;  // of the code: one past its last instruction
  std::vector<char> heads_;            // instruction: whether it is one
  std::vector<Live> live_;             // before an instruction; empty if there is no loop
};

}  // namespace porf::candidates
