// The workers of a test, and which engine each model has.
#include "testing/testing.hpp"

#include <chrono>
#include <exception>
#include <thread>

#include "testing/under.hpp"

namespace porf::testing {

using explore::EngineKind;

// The engines that a test has. X(engine)
#define PORF_TESTED(X) \
  X(kRelaxed)          \
  X(kRc20)             \
  X(kRa)               \
  X(kWra)              \
  X(kSc)               \
  X(kTso)              \
  X(kRc11WithoutSc)    \
  X(kCpp20WithoutSc)   \
  X(kRc11)             \
  X(kCpp20)

#define PORF_TEST(engine) \
  template <>             \
  void test_under<EngineKind::engine>(const Part& part);
PORF_TESTED(PORF_TEST)
#undef PORF_TEST

namespace {

void choose(const Part& part) {
  switch (part.request.settings.engine) {
#define PORF_TEST(engine)  \
  case EngineKind::engine: \
    return test_under<EngineKind::engine>(part);
    PORF_TESTED(PORF_TEST)
#undef PORF_TEST
    default:
      return;
  }
}

// One worker, with larger tables if those it has do not do.
void work(const TestRequest& request, Shared& shared, Worker& worker) {
  explore::Sizes sizes;
  sizes.stack = explore::first_stack(request.program);
  TestRequest left = request;
  auto started = std::chrono::steady_clock::now();
  while (true) {
    try {
      choose({left, sizes, shared, worker});
      return;
    } catch (const explore::Grow& grow) {
      if (!explore::enlarge(sizes, grow)) {
        worker.tested.too_large = true;
        shared.stop = true;
        return;
      }
    }
    std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started;
    if (request.allowance.seconds > 0)
      left.allowance.seconds = std::max(1e-3, request.allowance.seconds - spent.count());
  }
}

}  // namespace

bool can_test(EngineKind engine) {
  switch (engine) {
#define PORF_TEST(engine)  \
  case EngineKind::engine: \
    return true;
    PORF_TESTED(PORF_TEST)
#undef PORF_TEST
    default:
      return false;
  }
}

void Tested::add(const Tested& other) {
  findings.add(other.findings);
  coverage.add(other.coverage);
  runs += other.runs;
  events += other.events;
  waiting += other.waiting;
  if (limit == Limit::kNone) limit = other.limit;
  too_large |= other.too_large;
}

Tested test(const TestRequest& request) {
  Shared shared;
  std::vector<Worker> workers(static_cast<std::size_t>(request.path ? 1 : request.how.jobs));
  std::vector<std::exception_ptr> errors(workers.size());
  std::vector<std::thread> threads;
  auto guarded = [&](std::size_t n) {
    try {
      work(request, shared, workers[n]);
    } catch (...) {
      errors[n] = std::current_exception();
      shared.stop = true;
    }
  };
  for (std::size_t n = 1; n < workers.size(); ++n) {
    workers[n].number = static_cast<std::int32_t>(n);
    threads.emplace_back(guarded, n);
  }
  guarded(0);
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
  Tested all = std::move(workers.front().tested);
  for (std::size_t n = 1; n < workers.size(); ++n) all.add(workers[n].tested);
  return all;
}

}  // namespace porf::testing
