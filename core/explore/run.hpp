// One exploration from end to end: a strategy with an engine, task after task.
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>

#include "explore/explore.hpp"
#include "explore/sizes.hpp"
#include "explore/tracer.hpp"
#include "explore/trust.hpp"
#include "relations/engine.hpp"

namespace porf::explore {

template <typename Engine>
Engine make_engine(const Runner& runner, const Settings& settings, Budget& budget) {
  if constexpr (std::is_constructible_v<Engine, const Runner&, const Settings&, Budget&>)
    return Engine(runner, settings, budget);
  else
    return Engine(runner.rank());
}

inline std::unique_ptr<FileRaces> races_of_file(const Runner& runner, const Settings& settings, Budget& budget) {
  if (settings.happens_before == nullptr) return nullptr;
  return std::make_unique<FileRaces>(runner.memory(), *settings.happens_before, settings.two_events,
                                     settings.late_races, budget);
}

// Whether a model file speaks of dependencies.
inline bool uses_dependencies(const relations::Program* file) {
  return file != nullptr && std::any_of(file->code.begin(), file->code.end(), [](const relations::Instruction& i) {
           return i.op == relations::kBaseRel &&
                  (i.a == relations::kAddr || i.a == relations::kData || i.a == relations::kCtrl);
         });
}

template <typename Engine>
Result run(const Request& request, const Sizes& sizes) {
  const Settings& settings = request.settings;
  Runner runner(request.program, sizes.threads, settings.unroll, sizes.stack, sizes.gaps,
                settings.happens_before ? Sync::kNone : settings.races,
                settings.symmetry && settings.strategy == Strategy::kTrust, sizes.sections,
                settings.kept != kNoCycles || uses_dependencies(settings.file.get()), settings.kept);
  Recorder recorder(runner, settings);
  Budget budget(request.allowance.seconds, 0, request.allowance.bytes,
                [&](std::uint64_t) { return request.poll(recorder.findings); });
  Races races(runner.memory(), runner.has_conflicts(), settings.races, settings.engine != EngineKind::kPso,
              races_of_file(runner, settings, budget));
  Engine engine = make_engine<Engine>(runner, settings, budget);
  StrategyOptions options;
  options.spurious = settings.spurious;
  options.limit = request.allowance.limit;
  options.awaits = !settings.all_blocked && !settings.liveness;
  options.guesses = {settings.guess_woken, settings.guess_unique};
  options.coherent = settings.engine != EngineKind::kAxioms;
  Result result;
  auto follow = [&](auto&& strategy) {
    for (const Task& task : request.tasks) {
      if (budget.spent() || recorder.must_stop() || recorder.at_limit(options.limit)) {
        result.remaining.push_back(task);
        continue;
      }
      try {
        for (Task& left : strategy.explore(task)) result.remaining.push_back(std::move(left));
      } catch (const relations::Spent&) {  // in the middle of a check, and nothing is known of what is done
        result.remaining.push_back(task);
      }
    }
  };
  try {
    if (settings.strategy == Strategy::kTracer)
      follow(Tracer<Engine>(runner, engine, races, recorder, budget, options));
    else
      follow(Trust<Engine>(runner, engine, races, recorder, budget, options));
  } catch (const WrongGuess& found) {
    result = {.wrong = found.guess};
    return result;
  }
  if constexpr (requires { engine.refused(); }) recorder.findings.dead += engine.refused();
  recorder.findings.spin_loops.insert(runner.waiting().begin(), runner.waiting().end());
  if (runner.early() != nullptr) result.early = runner.early()->found();
  result.findings = std::move(recorder.findings);
  result.limit = budget.limit();
  return result;
}

}  // namespace porf::explore
