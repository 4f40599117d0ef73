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
Result coherent(const Request& request, const Sizes& sizes) {
  return sizes.writes > 0 ? run<Coherence<kSync, kWeak, 16>>(request, sizes)
                          : run<Coherence<kSync, kWeak, 1>>(request, sizes);
}

Result choose(const Request& request, const Sizes& sizes) {
  switch (request.settings.engine) {
    case EngineKind::kRelaxed:
      return coherent<Sync::kNone, false>(request, sizes);
    case EngineKind::kRc20:
      return coherent<Sync::kOrders, false>(request, sizes);
    case EngineKind::kRc11:
      return coherent<Sync::kOwnWrites, false>(request, sizes);
    case EngineKind::kCpp20:
      return coherent<Sync::kAtomicOrders, false>(request, sizes);
    case EngineKind::kRa:
      return coherent<Sync::kAll, false>(request, sizes);
    case EngineKind::kWra:
      return coherent<Sync::kAll, true>(request, sizes);
    case EngineKind::kSra:
    case EngineKind::kSc:
    case EngineKind::kTso:
    case EngineKind::kPso:
      return explore_orders(request, sizes);
    case EngineKind::kAxioms:
      return explore_file(request, sizes);
  }
  return {};
}

}  // namespace

Result explore(const Request& request) {
  Sizes sizes;
  sizes.stack = first_stack(request.program);
  Request left = request;
  auto started = std::chrono::steady_clock::now();
  while (true) {
    try {
      return choose(left, sizes);
    } catch (const Grow& grow) {
      if (grow.what == Grow::kStack) {
        sizes.stack.slots *= 2;
        sizes.stack.grows = sizes.stack.slots < kLargestStack;
        continue;
      }
      if (grow.what == Grow::kGaps) {
        sizes.gaps = true;
        continue;
      }
      bool threads = grow.what == Grow::kThreads;
      if (threads ? sizes.threads >= kMostThreads : sizes.writes >= 3) {
        Result result;
        result.remaining = request.tasks;
        result.too_large = true;
        return result;
      }
      if (threads)
        sizes.threads *= 2;
      else
        ++sizes.writes;
    }
    std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started;
    if (request.allowance.seconds > 0)
      left.allowance.seconds = std::max(1e-3, request.allowance.seconds - spent.count());
  }
}

}  // namespace porf::explore
