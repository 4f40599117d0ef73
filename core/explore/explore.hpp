// Exploration as a whole: a program, a model, and what to explore; the strategy and the engine are chosen
// here.
#pragma once

#include <functional>
#include <vector>

#include "budget.hpp"
#include "explore/program.hpp"
#include "explore/recorder.hpp"
#include "explore/views.hpp"
#include "relations/program.hpp"

namespace porf::explore {

// Which engine decides. Kept in step with porf.exploration.models.
enum class Model : std::uint8_t {
  kRelaxed,
  kRc20,
  kRa,
  kWra,
  kSra,
  kSc,
  kTso,
  kPso,
  kFile,
  kRc11
};  // kRc11: without SC events
enum class Strategy : std::uint8_t { kTrust, kTracer };

struct Settings {
  Model model = Model::kRa;
  const relations::Program* file = nullptr;  // of Model::kFile
  bool two_events = false;                   // it sees an update as a read and a write
  bool suspect = false;                      // it may forbid whatever a thread does next
  Strategy strategy = Strategy::kTrust;
  Sync race_sync = Sync::kOrders;
  std::int64_t unroll = 1000;
  std::uint64_t limit = 0;  // executions; 0: all
  bool spurious = false;
  RecorderOptions recorder;
  double seconds = 0;
  std::uint64_t bytes = 0;
};

struct Result {
  Findings findings;
  std::vector<Task> remaining;  // empty if all was explored
  Limit limit = Limit::kNone;
  bool too_large = false;  // an execution does not fit into the largest tables
};

// True: stop.
using Poll = std::function<bool(const Findings&)>;

Result explore(const Program& program, const Settings& settings, const std::vector<Task>& tasks,
               const Poll& poll);

}  // namespace porf::explore
