// The candidate executions of a litmus test, each once, and those that a model allows: for models under which program
// order and reads-from may form a cycle, so that executions cannot be built one event at a time (Alglave, Maranget and
// Tautschnig 2014).
//
// Each thread is run by itself, once for each choice of the values that its reads may see; what it writes are values
// that reads may see, until there are no new ones. Then one trace of each thread is chosen, a write for each read, and
// an order of the writes of each location, and the model's axioms are evaluated.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "budget.hpp"
#include "candidates/threads.hpp"
#include "explore/program.hpp"
#include "relations/program.hpp"

namespace porf::candidates {

struct Settings {
  std::shared_ptr<relations::Program> file;     // the model
  bool two_events = false;                      // it sees an update as a read and a write
  std::uint64_t read_tags = 0, write_tags = 0;  // what the halves of an update keep of its tags
  std::int64_t unroll = 0;                      // how often a loop may go round, if that changes something
};

// A part of the final state: a register of a thread, or what a location holds (thread < 0, and a pointer).
struct Seen {
  std::int32_t thread = -1;
  std::int64_t where = 0;
  std::uint8_t width = 8;
  bool is_signed = true;
};

// A consistent execution, row by row.
struct Candidate {
  std::vector<std::int32_t> thread, loc, rf, pc;
  std::vector<std::uint8_t> op, order;
  std::vector<std::int64_t> read, written;
  std::vector<std::uint64_t> tags;
  std::array<std::array<std::vector<std::int32_t>, 2>, kDependencyKinds> dependencies;
  std::vector<std::vector<std::int32_t>> orders;  // of the writes of each location
};

struct FinalState {
  std::vector<std::int64_t> values;
  std::uint64_t executions = 0;
  Candidate first;
};

struct Result {
  std::vector<FinalState> states;
  std::uint64_t candidates = 0, executions = 0;
  std::vector<std::uint64_t> flags;     // of each axiom: executions in which it holds, if it only reports
  std::set<std::int32_t> cuts;          // loops that were cut off
  std::optional<std::int32_t> nowhere;  // an access of what is no location, in a consistent execution
  std::optional<std::pair<Why, std::int32_t>> refused;
  Limit limit = Limit::kNone;
};

// `marks`: of each instruction of the program.
Result explore(const explore::Program& program, const std::vector<Mark>& marks, const Settings& settings,
               const std::vector<Seen>& seen, Budget& budget);

}  // namespace porf::candidates
