#include "explore/explore.hpp"

#include <stdexcept>
#include <type_traits>

#include "explore/axioms.hpp"
#include "explore/coherence.hpp"
#include "explore/trust.hpp"

namespace porf::explore {

namespace {

// How large the tables are; an exploration that does not fit starts again with larger ones.
struct Sizes {
  std::int32_t threads = 8;
  bool many_writes = false;
};

template <typename Engine>
Engine make(const Runner& runner, const Settings&, Budget&) {
  return Engine(runner.rank());
}

template <>
Axioms make(const Runner& runner, const Settings& settings, Budget& budget) {
  return Axioms(runner, *settings.file, settings.two_events, settings.suspect, budget);
}

template <typename Engine>
Result run(const Program& program, const Settings& settings, const std::vector<Task>& tasks, const Poll& poll,
           const Sizes& sizes) {
  Runner runner(program, sizes.threads, settings.unroll);
  Recorder recorder(runner, settings.recorder);
  Budget budget(settings.seconds, 0, settings.bytes, [&](std::uint64_t) { return poll(recorder.findings); });
  Races races(runner.has_plain_accesses(), settings.race_sync);
  Engine engine = make<Engine>(runner, settings, budget);
  Trust<Engine> trust(runner, engine, races, recorder, budget, {settings.spurious, settings.limit});
  Result result;
  for (const Task& task : tasks) {
    if (budget.spent() || recorder.must_stop()) {
      result.remaining.push_back(task);
      continue;
    }
    for (Task& left : trust.explore(task)) result.remaining.push_back(std::move(left));
  }
  if constexpr (std::is_same_v<Engine, Axioms>) recorder.findings.dead += engine.refused();
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
    case Model::kFile:
      return run<Axioms>(program, settings, tasks, poll, sizes);
    default:
      break;
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
