#include "explore/explore.hpp"

#include <algorithm>
#include <chrono>

#include "explore/sizes.hpp"

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

Result choose(const Request& request, const Sizes& sizes) {
  switch (request.settings.engine) {
#define PORF_ENGINE(engine, ...) \
  case EngineKind::engine:       \
    return explore_under<EngineKind::engine>(request, sizes);
    PORF_ENGINES(PORF_ENGINE)
#undef PORF_ENGINE
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
