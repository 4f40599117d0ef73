// Random testing as a whole: a program, a model, and how to choose; runs are made until a bug is found or the allowance
// is used up. Every execution that is made is consistent: a read takes one of the writes that keep it so.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "budget.hpp"
#include "explore/explore.hpp"
#include "testing/coverage.hpp"

namespace porf::testing {

// Who comes next: anybody; the one with the highest priority, which changes at a few points (PCT, Burckhardt et al.
// 2010); whoever came last, most of the time; or one of these, another one in each run.
enum class Scheduler : std::uint8_t { kUniform, kPct, kSticky, kMix };

// Which write a read takes: any; mostly the oldest; mostly the newest; one whose instruction was not yet read from by
// the read's; or one of these ways, another one in each run.
enum class Reading : std::uint8_t { kUniform, kOld, kNew, kUnseen, kMix };

struct TestSettings {
  Scheduler scheduler = Scheduler::kMix;
  std::int32_t depth = 3;  // of PCT: priorities change one time less
  Reading reading = Reading::kMix;
  std::uint64_t seed = 0;
  std::uint64_t most_events = 1'000'000;  // of a run; then it is cut
  std::int32_t jobs = 1;
  std::int32_t window = 4096;  // events that a run has before it first forgets some
  // Events of a run that an engine of exploration keeps, where nothing that forgets is as exact; a run that has more is
  // made again by what forgets.
  std::uint64_t shorts = 200;
};

// The choices of one run: a number each, where there was more than one way. What is missing at the end is 0.
using Path = std::vector<std::int32_t>;

struct TestAllowance {
  std::uint64_t runs = 0;  // 0: any number
  double seconds = 0;
  std::uint64_t bytes = 0;
};

struct Tested {
  explore::Findings findings;  // paths in it are choices
  Coverage coverage;
  std::uint64_t runs = 0;
  std::uint64_t events = 0;
  std::uint64_t waiting = 0;  // blocked runs at whose end a loop waits, and nothing that it may read lets it go on
  Limit limit = Limit::kNone;
  bool too_large = false;  // a run does not fit into the largest tables

  void add(const Tested& other);
};

// True: stop.
using TestPoll = std::function<bool(const Tested&)>;

struct TestRequest {
  const explore::Program& program;
  const explore::Settings& settings;  // what exploration under the model is asked for
  const TestSettings& how;
  TestAllowance allowance;
  const std::optional<Path>& path;  // if it is there, one run that makes these choices
  const TestPoll& poll;
};

// Whether a model can be kept at every read of a run: one that has an engine.
bool can_test(explore::EngineKind engine);

Tested test(const TestRequest& request);

}  // namespace porf::testing
