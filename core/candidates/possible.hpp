// The values that locations may hold, before any thread is run for good.
//
// What a write writes depends on what reads saw; but whether there is such a write may depend on more, on values that
// only exist because of it: `if (x) y = 1` beside `if (y) x = 1`. So a read may also see a value that is *unknown*.
// Branches on what is unknown go both ways, and what is made of it is not written here: with as many rounds as there
// are writes that depend on reads, every value is found that comes from somewhere.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "budget.hpp"
#include "candidates/places.hpp"
#include "candidates/threads.hpp"
#include "explore/program.hpp"

namespace porf::candidates {

class Possible {
 public:
  Possible(const explore::Program& program, const std::vector<Mark>& marks, const Places& places, std::int64_t unroll,
           Budget& budget)
      : program_(program), marks_(marks), places_(places), unroll_(unroll), budget_(budget) {}

  // The values of each location.
  Values values();

 private:
  struct Held {
    std::int64_t value = 0;
    bool known = true;
    bool read = false;  // it depends on what a read saw
  };
  struct State {
    std::int32_t pc = 0;
    std::vector<Held> registers;
    bool linked = false;        // a store-conditional may succeed
    std::int64_t turns = 0;     // jumps back so far
    std::size_t dependent = 0;  // writes so far that depend on reads
  };

  // One thread, whichever way it goes. What it writes is found; gives the most writes on a way that depend on reads.
  std::size_t run(std::int32_t thread);
  // One instruction; false if the state goes no further, because its thread has ended or others go on from it.
  bool step(State& state);
  bool access(State& state, const explore::Instruction& i);
  bool conditional(State state, const explore::Instruction& i);
  bool fork(State state, std::int32_t target);
  void go(State state);
  // False if there have been too many jumps back, or such a state before.
  bool jump(State& state, std::int32_t target);
  bool is_new(const State& state);
  void write(State& state, std::int32_t address, std::uint8_t width, const Held& what);
  void find_relevant(std::int32_t entry, std::int32_t end, std::size_t registers);
  static Held made(const explore::Instruction& i, const Held& left, const Held& right);

  Held held(const State& state, std::int32_t operand) const {
    return operand >= 0 ? state.registers[static_cast<std::size_t>(operand)]
                        : Held{code_->pool[static_cast<std::size_t>(~operand)]};
  }
  static void set(State& state, std::int32_t reg, const Held& what) {
    state.registers[static_cast<std::size_t>(reg)] = what;
  }

  const explore::Program& program_;
  const std::vector<Mark>& marks_;
  const Places& places_;
  std::int64_t unroll_;
  Budget& budget_;
  Values values_, found_;
  const explore::Template* code_ = nullptr;
  std::vector<char> relevant_;  // a register: something that is written, or an address, may be made of it
  std::vector<State> waiting_;
  std::map<std::vector<std::int64_t>, std::int64_t> met_;  // states, with the fewest jumps back
  std::int64_t most_turns_ = 0;
  std::size_t most_ = 0;
};

}  // namespace porf::candidates
