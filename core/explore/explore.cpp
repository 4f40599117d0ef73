#include "explore/explore.hpp"

#include <algorithm>
#include <chrono>

#include "explore/coherence.hpp"
#include "explore/run.hpp"

namespace porf::explore {

namespace {

constexpr std::int32_t kMostThreads = 1024;
constexpr std::int32_t kLargestStack = 1 << 16;  // slots

// Room for every function once, if there are calls.
StackSize first_stack(const Program& program) {
  std::int32_t most = 0, sum = 0;
  for (const Template& t : program.templates) {
    most = std::max(most, frame_size(t));
    sum = std::min(sum + frame_size(t), 1024);
  }
  return {first_base(program) + (program.has(Opcode::kCall) ? std::max(most, sum) : most), true};
}

template <Sync kSync, bool kWeak>
Result coherent(const Program& program, const Settings& settings, const std::vector<Task>& tasks,
                const Poll& poll, const Sizes& sizes) {
  return sizes.writes > 0 ? run<Coherence<kSync, kWeak, 16>>(program, settings, tasks, poll, sizes)
                          : run<Coherence<kSync, kWeak, 1>>(program, settings, tasks, poll, sizes);
}

Result choose(const Program& program, const Settings& settings, const std::vector<Task>& tasks,
              const Poll& poll, const Sizes& sizes) {
  switch (settings.model) {
    case Model::kRelaxed:
      return coherent<Sync::kNone, false>(program, settings, tasks, poll, sizes);
    case Model::kRc20:
      return coherent<Sync::kOrders, false>(program, settings, tasks, poll, sizes);
    case Model::kRc11:
      return coherent<Sync::kAtomicOrders, false>(program, settings, tasks, poll, sizes);
    case Model::kRa:
      return coherent<Sync::kAll, false>(program, settings, tasks, poll, sizes);
    case Model::kWra:
      return coherent<Sync::kAll, true>(program, settings, tasks, poll, sizes);
    case Model::kSra:
    case Model::kSc:
    case Model::kTso:
    case Model::kPso:
      return explore_orders(program, settings, tasks, poll, sizes);
    case Model::kFile:
      return explore_file(program, settings, tasks, poll, sizes);
  }
  return {};
}

}  // namespace

Result explore(const Program& program, const Settings& settings, const std::vector<Task>& tasks,
               const Poll& poll) {
  Sizes sizes;
  sizes.stack = first_stack(program);
  Settings left = settings;
  auto started = std::chrono::steady_clock::now();
  while (true) {
    try {
      return choose(program, left, tasks, poll, sizes);
    } catch (const Grow& grow) {
      if (grow.what == Grow::kStack) {
        sizes.stack.slots *= 2;
        sizes.stack.grows = sizes.stack.slots < kLargestStack;
        continue;
      }
      bool threads = grow.what == Grow::kThreads;
      if (threads ? sizes.threads >= kMostThreads : sizes.writes >= 3) {
        Result result;
        result.remaining = tasks;
        result.too_large = true;
        return result;
      }
      if (threads)
        sizes.threads *= 2;
      else
        ++sizes.writes;
    }
    std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started;
    if (settings.seconds > 0) left.seconds = std::max(1e-3, settings.seconds - spent.count());
  }
}

}  // namespace porf::explore
