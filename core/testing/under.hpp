// A test from end to end under one engine: run after run, until the request has what it asks for. Each group of engines
// is compiled in a file of its own.
#pragma once

#include <atomic>
#include <optional>

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

template <typename Keeper>
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
  Keeper keeper(runner, settings, request.how, budget);
  Choices choices(request.how);
  Tester<Keeper> tester(runner, keeper, recorder, budget, settings, request.how, choices, tested);
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
      if (request.path)
        choices.begin(*request.path);
      else
        choices.begin(run);
      bool whole = tester.run();
      part.worker.unfinished.reset();
      if (!whole) break;
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
