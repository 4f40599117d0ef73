// Exploration as a whole: a program, a model, and what to explore; the strategy and the engine are chosen here.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "budget.hpp"
#include "explore/early_writes.hpp"
#include "explore/guesses.hpp"
#include "explore/program.hpp"
#include "explore/recorder.hpp"
#include "explore/section_table.hpp"
#include "explore/views.hpp"
#include "relations/program.hpp"

namespace porf::explore {

// The engines, a row each. X(engine, its name in Python, its family as people know it, whether the orders of accesses
// make a difference)
#define PORF_ENGINES(X)                                   \
  X(kRelaxed, RELAXED, "coherence", false)                \
  X(kRc20, RC20, "coherence", true)                       \
  X(kRa, RA, "coherence", false)                          \
  X(kWra, WRA, "weak-coherence", false)                   \
  X(kSra, SRA, "order", false)                            \
  X(kSc, SC, "order", false)                              \
  X(kTso, TSO, "order", false)                            \
  X(kPso, PSO, "order", false)                            \
  X(kAxioms, AXIOMS, "axioms", true)                      \
  X(kRc11WithoutSc, RC11_WITHOUT_SC, "coherence", true)   \
  X(kCpp20WithoutSc, CPP20_WITHOUT_SC, "coherence", true) \
  X(kX86, X86, "order", true)                             \
  X(kRc11, RC11, "partial-sc", true)                      \
  X(kCpp20, CPP20, "partial-sc", true)

enum class EngineKind : std::uint8_t {
#define PORF_ENGINE(engine, ...) engine,
  PORF_ENGINES(PORF_ENGINE)
#undef PORF_ENGINE
};

struct EngineFacts {
  const char* family;
  bool orders;
};

constexpr EngineFacts facts_of(EngineKind engine) {
  switch (engine) {
#define PORF_ENGINE(engine, python, family, orders) \
  case EngineKind::engine:                          \
    return {family, orders};
    PORF_ENGINES(PORF_ENGINE)
#undef PORF_ENGINE
  }
  return {};
}

enum class Strategy : std::uint8_t { kTrust, kTracer };

// What is asked for. It is the same for every part of an exploration, in whatever process that is done.
struct Settings : RecorderOptions {
  EngineKind engine = EngineKind::kRa;
  std::shared_ptr<relations::Program> file;  // of the engine of axioms: the model file
  bool two_events = false;                   // it sees an update as a read and a write
  bool suspect = false;                      // it may forbid whatever a thread does next
  Sync races = Sync::kAtomicOrders;          // how happens-before arises, by which races are judged
  // Or it is a relation of the model file: that of the only axiom of this program.
  std::shared_ptr<relations::Program> happens_before;
  bool late_races = false;  // what is added to a graph may change which events of it that orders
  Strategy strategy = Strategy::kTrust;
  std::int64_t unroll = 1000;
  bool spurious = true;      // what is weak may fail for no reason
  bool commuting = false;    // critical sections that commute are not put in order, where that is possible,
  SectionTable sections;     // by what is known of them
  bool all_blocked = false;  // also executions in which loops wait and that show nothing of their own
  // Guesses of how waits end: see guesses.hpp.
  bool guess_woken = true;
  Unique guess_unique = Unique::kAll;
  // Where program order and reads-from may form a cycle: what of program order has none with reads-from, bits of
  // KeptOrder. Then only executions without such cycles are explored, and it is gathered whether there can be others;
  std::int32_t kept = kNoCycles;
  std::vector<std::int32_t>
      foreseeing;        // or only the others are: those in which reads of these instructions take part.
  bool symmetry = true;  // threads that nothing tells apart are explored up to permutation
};

// What a part of an exploration may spend.
struct Allowance {
  std::uint64_t limit = 0;  // executions; 0: all
  double seconds = 0;
  std::uint64_t bytes = 0;
};

struct Result {
  Findings findings = {};
  std::vector<Task> remaining = {};  // empty if all was explored
  Limit limit = Limit::kNone;
  bool commuting = false;      // critical sections were left without an order: executions stand for all of them
  SectionTable sections = {};  // what is known of sections now
  EarlyFound early = {};       // of what cycles of program order and reads-from could be made
  std::uint64_t unjudged = 0;  // not 0: of executions with such cycles not everything is known
  bool too_large = false;      // an execution does not fit into the largest tables
  Guess wrong = Guess::kNone;  // if it was, nothing counts that was found
};

// True: stop.
using Poll = std::function<bool(const Findings&)>;

struct Request {
  const Program& program;
  const Settings& settings;
  Allowance allowance;
  const std::vector<Task>& tasks;
  const Poll& poll;
};

Result explore(const Request& request);

}  // namespace porf::explore
