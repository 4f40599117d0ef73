// What an exploration has found: counts, final states, bugs with the graph that shows each, and, if asked
// for, the executions themselves.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "explore/engine.hpp"
#include "explore/races.hpp"
#include "explore/runner.hpp"
#include "explore/weight.hpp"

namespace porf::explore {

// Where an exploration is: the options taken, and from which of them on the rest is still to be explored.
struct Task {
  std::vector<std::int32_t> path;
  std::int32_t floor = 0;

  auto operator<=>(const Task&) const = default;
};

// A task whose path the program does not have: it was made for another one, or is damaged.
struct NoSuchPath : std::runtime_error {
  NoSuchPath() : std::runtime_error("the program has no such path") {}
};

// An event of a graph that is handed out. Their order is that of insertion.
struct Row {
  std::int32_t thread = 0;
  std::int32_t index = 0;  // in its thread
  EventKind kind{};
  Role role = Role::kNone;
  std::int64_t pointer = 0;
  std::uint8_t order = 0;
  std::int32_t source = kNotRead;  // a row, or kInitial
  std::int64_t read = 0;
  std::int64_t written = 0;
  std::int32_t pc = 0;
  std::int32_t other = -1;  // the thread that it starts or joins, the object that it frees, the barrier
};
using Rows = std::vector<Row>;

// An object that a thread has allocated.
struct Allocated {
  std::int32_t thread = 0;
  std::int32_t number = 0;  // how many the thread had allocated with it
  std::int32_t layout = 0;
  std::int64_t size = 0;
};

// What makes two reports the same bug: the kind and the instructions.
using BugIdentity = std::tuple<Bug, std::int32_t, std::int32_t>;

struct BugReport {
  Bug kind = Bug::kNone;
  std::int32_t event = -1;  // the last event of the thread at fault; of two that conflict, one
  std::int32_t thread = -1;
  std::int32_t pc = 0;
  std::int32_t other = -1;  // the other event of a conflict
  std::int32_t other_pc = -1;
  std::int64_t detail = 0;  // message, pointer
  std::vector<std::int32_t> path;
  Rows events;
  std::vector<Allocated> objects;
  std::vector<Printed> printed;
  Weight weight;      // of what shows it, where the lightest is asked for
  bool whole = true;  // nothing was forgotten

  BugIdentity identity() const { return {kind, std::max(pc, other_pc), std::min(pc, other_pc)}; }
};

// How executions end: in the values of the watched registers.
struct FinalState {
  std::vector<std::int64_t> values;
  std::uint64_t executions = 0;
  std::vector<std::int32_t> path;  // to the first of them; tracer has none
};

// A number of the class of (po, rf): it does not depend on the order in which events were added.
using Fingerprint = std::pair<std::uint64_t, std::uint64_t>;

// What an event adds to it: one half for each seed.
std::uint64_t fingerprint(const Graph& g, const Runner& runner, std::int32_t e, std::uint64_t seed);

struct Findings {
  std::uint64_t complete = 0;   // in all, those included that differ by a permutation of threads
  std::uint64_t blocked = 0;    // likewise
  std::uint64_t distinct = 0;   // complete ones that differ by more than that
  std::uint64_t repeated = 0;   // executions that were met although another one stands for them
  std::uint64_t cut = 0;        // executions in which a loop was cut
  std::uint64_t erroneous = 0;  // executions that an error ended
  std::uint64_t dead = 0;       // graphs that could not go on although a thread could: must be 0
  std::uint64_t graphs = 0;     // nodes of the exploration at which it branched
  std::uint64_t spins = 0;      // blocked executions in which a loop was seen to have no effect
  double explored = 0;          // the share of the tree that is done, each option of a node weighing the same
  std::vector<FinalState> states;
  std::vector<BugReport> bugs;
  std::vector<BugReport> refused;         // what porf does not support, where executions reach it
  std::set<std::int32_t> cut_loops;       // instructions
  std::set<std::int32_t> spin_loops;      // instructions
  std::set<std::int32_t> assumptions;     // instructions of those that did not hold
  std::vector<Rows> executions;           // complete ones, if asked for
  std::vector<Rows> stuck;                // blocked ones, likewise
  std::vector<WriteOrder> orders;         // of the complete ones, if these are told apart
  std::vector<Fingerprint> fingerprints;  // of executions, if asked for

  // Takes up what another part of the exploration has found. Of reports of the same bug it keeps the lightest, and of
  // those the one that one process alone would meet first; and all in that order.
  void add(const Findings& found);

  // How many executions were met again, by their fingerprints.
  std::size_t duplicates() const;
};

struct RecorderOptions {
  bool keep_going = false;   // after a bug
  bool lightest = false;     // of reports of the same bug; otherwise the first
  bool self_check = false;   // remember every execution's fingerprint
  bool collect = false;      // keep every execution
  bool states = false;       // gather final states
  bool ordered = false;      // tell modification orders apart
  bool stop_at_cut = false;  // a loop that runs too often ends the exploration
  bool leaks = false;        // memory that is not given back is an error
  bool liveness = false;     // a loop that waits for what never comes is an error
};

class Recorder {
 public:
  Recorder(const Runner& runner, RecorderOptions options) : runner_(runner), options_(options) {}

  // Whether it makes a difference if the threads that wait in a graph do so for ever: nothing else has stopped a
  // thread.
  bool asks_forever(const Graph& g) const;

  // The graph is complete, or nothing in it can go on; `forever` if threads that wait may do so for ever. If it counts
  // for each of its modification orders, there are so many; `orders` are these, if executions are collected. `orbit`:
  // how many executions differ from it by a permutation of threads, itself included; 0 if another one is counted.
  void leaf(const Graph& g, const std::vector<std::int32_t>& path, bool forever, std::uint64_t orbit = 1,
            std::uint64_t count = 1, const std::vector<WriteOrder>* orders = nullptr);

  // Whether the thread of an event that was just added is in error; then that is reported.
  void examine(const Graph& g, std::int32_t thread, const std::vector<std::int32_t>& path) {
    if (g.pending(thread).next == Next::kFailed) failed(g, thread, path);
  }
  // An event that was just added does not go with another one.
  void conflict(const Graph& g, std::int32_t e, const Conflict& conflict, const std::vector<std::int32_t>& path);

  const RecorderOptions& options() const { return options_; }
  const Runner& runner() const { return runner_; }

  // About how much memory the findings hold.
  std::uint64_t held() const {
    return findings.fingerprints.size() * sizeof(Fingerprint) +
           findings.states.size() * (2 * runner_.program().watched.size() * sizeof(std::int64_t) + 240) + collected_;
  }
  bool must_stop() const {
    return (!options_.keep_going && !findings.bugs.empty()) || (options_.stop_at_cut && findings.cut > 0);
  }

  // Whether so many executions were met, whatever became of them; 0: there is no limit.
  bool at_limit(std::uint64_t limit) const {
    const Findings& f = findings;
    return limit != 0 && f.complete + f.blocked + f.erroneous + f.cut >= limit;
  }

  Findings findings;

 private:
  void find_leaks(const Graph& g, const std::vector<std::int32_t>& path);
  void keep(std::vector<Rows>& list, const Graph& g);
  void failed(const Graph& g, std::int32_t thread, const std::vector<std::int32_t>& path);
  void report(const Graph& g, BugReport bug, const std::vector<std::int32_t>& path);

  const Runner& runner_;
  RecorderOptions options_;
  std::uint64_t collected_ = 0;
  std::map<BugIdentity, std::size_t> known_;                       // -> its place among those of its list
  std::map<std::vector<std::int64_t>, std::size_t> known_states_;  // -> its place among the states
};

}  // namespace porf::explore
