#include "explore/explore.hpp"

#include <algorithm>
#include <chrono>

#include "explore/cycles.hpp"
#include "explore/sections.hpp"
#include "explore/sizes.hpp"

namespace porf::explore {

namespace {

constexpr std::int32_t kMostThreads = 1024;
constexpr std::int32_t kLargestStack = 1 << 16;  // slots

Result choose(const Request& request, const Sizes& sizes) {
  if (!request.settings.foreseeing.empty()) return explore_cycles(request, sizes);
  switch (request.settings.engine) {
#define PORF_ENGINE(engine, ...) \
  case EngineKind::engine:       \
    return explore_under<EngineKind::engine>(request, sizes);
    PORF_ENGINES(PORF_ENGINE)
#undef PORF_ENGINE
  }
  return {};
}

// Whether critical sections that commute can be left without an order: no thread can ask whether a mutex is held, the
// model gives programs without races the meaning that they have under SC, and nobody asks for more than verdict and
// count.
bool may_divide(const Request& request) {
  const Settings& s = request.settings;
  bool known = s.engine != EngineKind::kRelaxed && s.engine != EngineKind::kPso && s.engine != EngineKind::kAxioms;
  return s.commuting && known && s.happens_before == nullptr && s.strategy == Strategy::kTrust && !s.liveness &&
         !s.ordered && !s.states && request.program.has(Opcode::kLock) && !request.program.has(Opcode::kTrylock);
}

bool is_whole(const std::vector<Task>& tasks) { return tasks.size() == 1 && tasks.front() == Task{}; }

}  // namespace

// Room for every function once, if there are calls.
StackSize first_stack(const Program& program) {
  std::int32_t most = 0, sum = 0;
  for (const Template& t : program.templates) {
    most = std::max(most, frame_size(t));
    sum = std::min(sum + frame_size(t), 1024);
  }
  return {first_base(program) + (program.has(Opcode::kCall) ? std::max(most, sum) : most), true};
}

bool enlarge(Sizes& sizes, const Grow& grow) {
  switch (grow.what) {
    case Grow::kStack:
      sizes.stack.slots *= 2;
      sizes.stack.grows = sizes.stack.slots < kLargestStack;
      return true;
    case Grow::kGaps:
      sizes.gaps = true;
      return true;
    case Grow::kThreads:
      if (sizes.threads >= kMostThreads) return false;
      sizes.threads *= 2;
      return true;
    case Grow::kWrites:
      if (sizes.writes >= 3) return false;
      ++sizes.writes;
      return true;
  }
  return false;
}

Result explore(const Request& request) {
  Sizes sizes;
  Sections sections(request.settings.sections);
  if (may_divide(request)) sizes.sections = &sections;
  sizes.stack = first_stack(request.program);
  Request left = request;
  auto started = std::chrono::steady_clock::now();
  while (true) {
    sections.begin(is_whole(request.tasks));
    if (sections.given_up()) sizes.sections = nullptr;
    try {
      Result result = choose(left, sizes);
      if (sections.is_learning()) throw LearntSections{};
      result.commuting = sizes.sections != nullptr && sections.has_unordered();
      result.sections = sections.table();
      return result;
    } catch (const LearntSections&) {
      if (!is_whole(request.tasks)) {  // what others do is also wrong
        Result result;
        result.wrong = Guess::kSections;
        result.sections = sections.table();
        return result;
      }
    } catch (const Grow& grow) {
      if (!enlarge(sizes, grow)) {
        Result result;
        result.remaining = request.tasks;
        result.too_large = true;
        return result;
      }
    }
    std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started;
    if (request.allowance.seconds > 0)
      left.allowance.seconds = std::max(1e-3, request.allowance.seconds - spent.count());
  }
}

}  // namespace porf::explore
