// Budgets: each limit ends a computation, says which it was, and stays.
#include <doctest/doctest.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "budget.hpp"

using porf::Budget;
using porf::Limit;

TEST_CASE("a budget without limits is never spent") {
  Budget budget(0, 0, 0, nullptr);
  for (int i = 0; i < 100'000; ++i) CHECK_UNARY(budget.spend());
  CHECK(budget.hold(std::uint64_t{1} << 60));
  CHECK(budget.used() == 100'000);
  CHECK(budget.limit() == Limit::kNone);
}

TEST_CASE("steps: exactly so many are allowed") {
  for (const std::uint64_t steps : {1, 7, 4095, 4096, 4097, 10'000}) {
    Budget budget(0, steps, 0, nullptr);
    std::uint64_t done = 0;
    while (budget.spend()) ++done;
    CHECK(done == steps);
    CHECK(budget.limit() == Limit::kSteps);
    CHECK_FALSE(budget.spend());
  }
}

TEST_CASE("many steps at once are counted as many") {
  Budget budget(0, 1'000'000, 0, nullptr);
  CHECK(budget.spend(1'000'000));
  CHECK_FALSE(budget.spend(1));
}

TEST_CASE("time: a deadline in the past is noticed at the next look") {
  Budget budget(1e-6, 0, 0, nullptr);
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::uint64_t done = 0;
  while (budget.spend() && done < 100'000) ++done;
  CHECK(done < 5000);
  CHECK(budget.limit() == Limit::kTime);
}

TEST_CASE("memory: what is over the limit is refused, and the first limit is the one that is named") {
  Budget budget(0, 1, 1000, nullptr);
  CHECK(budget.hold(1000));
  CHECK_FALSE(budget.hold(1001));
  CHECK_FALSE(budget.spend(5000));
  CHECK(budget.limit() == Limit::kMemory);
}

TEST_CASE("the caller is asked every few thousand steps, and may stop or throw") {
  int asked = 0;
  Budget stopped(0, 0, 0, [&](std::uint64_t) { return ++asked == 3; });
  while (stopped.spend() && stopped.used() < 1'000'000) {
  }
  CHECK(asked == 3);
  CHECK(stopped.limit() == Limit::kStopped);
  CHECK(stopped.used() < 20'000);

  Budget throws(0, 0, 0, [](std::uint64_t) -> bool { throw std::runtime_error("interrupted"); });
  CHECK_THROWS_AS(throws.spend(5000), std::runtime_error);
}
