// A test from end to end under one engine: run after run, until the request has what it asks for. Each group of engines
// is compiled in a file of its own.
#pragma once

#include <atomic>
#include <optional>
#include <type_traits>

#include "explore/run.hpp"
#include "testing/tester.hpp"

namespace porf::testing {

// What the workers of a test share.
struct Shared {
  std::atomic<std::uint64_t> next_run{0};
  std::atomic<bool> stop{false};
};

// What one worker goes on with when tables were too small.
struct Worker {
  std::int32_t number = 0;  // only the first one tells how far the test is
  Tested tested;
  std::optional<std::uint64_t> unfinished;  // a run that must be made again
};

struct Part {
  const TestRequest& request;
  const explore::Sizes& sizes;
  Shared& shared;
  Worker& worker;
};

template <explore::EngineKind kEngine>
void test_under(const Part& part);

// `Long`: what keeps runs that are too long for the keeper, if anything does.
template <typename Keeper, typename Long = void>
void run_tests(const Part& part) {
  const TestRequest& request = part.request;
  const explore::Settings& settings = request.settings;
  Tested& tested = part.worker.tested;
  explore::Runner runner(request.program, part.sizes.threads, settings.unroll, part.sizes.stack, part.sizes.gaps,
                         settings.races, false, nullptr);
  explore::Recorder recorder(runner, settings);
  Budget budget(request.allowance.seconds, 0, request.allowance.bytes, [&](std::uint64_t) {
    if (part.worker.number == 0 && request.poll(tested)) part.shared.stop = true;
    return part.shared.stop.load();
  });
  constexpr bool kHasLong = !std::is_void_v<Long>;
  using Length = Choices::Length;
  using LongKeeper = std::conditional_t<kHasLong, Long, Keeper>;
  Choices choices(request.how);
  std::uint64_t longest = kHasLong ? request.how.shorts : 0;
  Keeper keeper(runner, settings, request.how, budget);
  Tester<Keeper> tester(runner, keeper, recorder, budget, settings, request.how, longest, choices, tested);
  std::optional<LongKeeper> long_keeper;
  std::optional<Tester<LongKeeper>> long_tester;
  auto make = [&](auto& one, std::uint64_t number, Length length) {
    if (request.path)
      choices.begin(*request.path, length);
    else
      choices.begin(number, length);
    return one.run();
  };
  // What keeps long runs is faster, and often at newer writes: every second run of a mix is its own. A path that begins
  // with 1 is that of such a run.
  auto make_run = [&](std::uint64_t number) {
    if (!kHasLong) return make(tester, number, Length::kAny);
    bool is_long = request.path ? !request.path->empty() && request.path->front() != 0
                                : longest == 0 || (request.how.scheduler == Scheduler::kMix && number % 2 == 1);
    Ran ran = is_long ? Ran::kTooLong : make(tester, number, Length::kShort);
    if (ran != Ran::kTooLong) return ran;
    if (!long_tester) {
      long_keeper.emplace(runner, settings, request.how, budget);
      long_tester.emplace(runner, *long_keeper, recorder, budget, settings, request.how, 0, choices, tested);
    }
    return make(*long_tester, number, Length::kLong);
  };
  auto keep = [&] {
    tested.findings.add(recorder.findings);
    recorder.findings = {};
  };
  auto number = [&] { return part.worker.unfinished ? *part.worker.unfinished : part.shared.next_run++; };
  try {
    while (!part.shared.stop && !budget.spent()) {
      std::uint64_t run = number();
      part.worker.unfinished = run;
      if (request.allowance.runs != 0 && run >= request.allowance.runs) break;
      Ran ran = Ran::kNotYet;
      try {
        ran = make_run(run);
      } catch (const relations::Spent&) {  // in the middle of a search
      }
      part.worker.unfinished.reset();
      if (ran == Ran::kNotYet) break;
      if (recorder.must_stop() || request.path) {
        part.shared.stop = true;
        break;
      }
    }
  } catch (...) {
    keep();
    throw;
  }
  keep();
  if (tested.limit == Limit::kNone) tested.limit = budget.limit();
}

}  // namespace porf::testing
