#include "explore/explore.hpp"

#include <stdexcept>

#include "explore/coherence.hpp"
#include "explore/tracer.hpp"
#include "explore/trust.hpp"

namespace porf::explore {

namespace {

// How large the tables are; an exploration that does not fit starts again with larger ones.
struct Sizes {
  std::int32_t threads = 8;
  bool many_writes = false;
};

template <typename Engine>
Result run(const Program& program, const Settings& settings, const std::vector<Task>& tasks, const Poll& poll,
           const Sizes& sizes) {
  Runner runner(program, sizes.threads, settings.unroll);
  Recorder recorder(runner, settings.recorder);
  Budget budget(settings.seconds, 0, settings.bytes, [&](std::uint64_t) { return poll(recorder.findings); });
  Races races(runner.has_plain_accesses(), settings.race_sync);
  Engine engine(runner.rank());
  Result result;
  auto follow = [&](auto&& strategy) {
    for (const Task& task : tasks) {
      if (budget.spent() || recorder.must_stop()) {
        result.remaining.push_back(task);
        continue;
      }
      for (Task& left : strategy.explore(task)) result.remaining.push_back(std::move(left));
    }
  };
  if (settings.strategy == Strategy::kTracer)
    follow(Tracer<Engine>(runner, engine, races, recorder, budget, {settings.spurious, settings.limit}));
  else
    follow(Trust<Engine>(runner, engine, races, recorder, budget, {settings.spurious, settings.limit}));
  result.findings = std::move(recorder.findings);
  result.limit = budget.limit();
  return result;
}

template <Sync kSync, bool kWeak>
Result coherent(const Program& program, const Settings& settings, const std::vector<Task>& tasks,
                const Poll& poll, const Sizes& sizes) {
  return sizes.many_writes ? run<Coherence<kSync, kWeak, 16>>(program, settings, tasks, poll, sizes)
                           : run<Coherence<kSync, kWeak, 1>>(program, settings, tasks, poll, sizes);
}

Result choose(const Program& program, const Settings& settings, const std::vector<Task>& tasks,
              const Poll& poll, const Sizes& sizes) {
  switch (settings.model) {
    case Model::kRelaxed:
      return coherent<Sync::kNone, false>(program, settings, tasks, poll, sizes);
    case Model::kRc20:
      return coherent<Sync::kOrders, false>(program, settings, tasks, poll, sizes);
    case Model::kRa:
      return coherent<Sync::kAll, false>(program, settings, tasks, poll, sizes);
    case Model::kWra:
      return coherent<Sync::kAll, true>(program, settings, tasks, poll, sizes);
  }
  return {};
}

}  // namespace

Result explore(const Program& program, const Settings& settings, const std::vector<Task>& tasks,
               const Poll& poll) {
  Sizes sizes;
  while (true) {
    try {
      return choose(program, settings, tasks, poll, sizes);
    } catch (const Grow& grow) {
      if (grow.what == Grow::kThreads)
        sizes.threads *= 2;
      else if (!sizes.many_writes)
        sizes.many_writes = true;
      else
        throw;
    }
  }
}

}  // namespace porf::explore
