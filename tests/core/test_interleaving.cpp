// SC and TSO: the row order, the search for a global order, and witnesses held by the independent check.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "generate/random.hpp"
#include "history.hpp"
#include "interleaving/global_order.hpp"
#include "verify/witness.hpp"

using namespace porf;
using namespace porf::interleaving;
using porf::test::consistent;
using porf::test::History;
using porf::test::unlimited;

namespace {

bool allowed(const Execution& x, Memory memory, bool saturate = true) {
  Budget budget = unlimited();
  return consistent(check_global_order(x, {}, memory, Time::kIgnored, saturate, budget));
}

// By definition: does some interleaving of the threads read what was last written?
bool some_interleaving(const Execution& x) {
  std::vector<std::int32_t> order(x.size());
  for (std::int32_t e = 0; e < x.size(); ++e) order[e] = e;
  do {
    if (verify::is_interleaving(x, order)) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

History random_history(generate::Random& random) {
  History h;
  std::vector<std::vector<std::int32_t>> writers(2);
  std::vector<std::pair<std::int32_t, std::int32_t>> readers;
  for (int i = 0; i < 6; ++i) {
    const auto thread = static_cast<std::int32_t>(random.below(3));
    const auto loc = static_cast<std::int32_t>(random.below(2));
    if (random.chance(0.5))
      readers.emplace_back(h.read(thread, loc, kInitial), loc);
    else
      writers[loc].push_back(h.write(thread, loc));
  }
  for (auto [row, loc] : readers) {
    const std::uint32_t choice = random.below(static_cast<std::uint32_t>(writers[loc].size()) + 1);
    if (choice < writers[loc].size()) h.set_rf(row, writers[loc][choice]);
  }
  return h;
}

}  // namespace

TEST_CASE("the row order is an interleaving, or is not") {
  History h;
  const std::int32_t w = h.write(0, 0);
  const std::int32_t r = h.read(1, 0, w);
  CHECK(row_order_is_sequential(h.view()));
  h.set_rf(r, kInitial);
  CHECK_FALSE(row_order_is_sequential(h.view()));
  CHECK(allowed(h.view(), Memory::kSc));  // another order of the rows is one
}

TEST_CASE("store buffering: buffers allow it, an interleaving does not") {
  const History h = test::store_buffering();
  CHECK_FALSE(allowed(h.view(), Memory::kSc));
  CHECK(allowed(h.view(), Memory::kTso));
}

TEST_CASE("message passing and readers that disagree are forbidden by both") {
  for (const History& h : {test::message_passing(kRlx, kRlx), test::disagreeing_readers()})
    for (const Memory memory : {Memory::kSc, Memory::kTso}) CHECK_FALSE(allowed(h.view(), memory));
}

TEST_CASE("a thread reads its own buffer, and nothing older") {
  History h;
  h.write(0, 0);
  const std::int32_t second = h.write(0, 0), r = h.read(0, 0, second);
  CHECK(allowed(h.view(), Memory::kTso));
  h.set_rf(r, 0);
  Budget budget = unlimited();
  const Result result = check_global_order(h.view(), {}, Memory::kTso, Time::kIgnored, true, budget);
  CHECK_FALSE(consistent(result));
}

TEST_CASE("random executions: SC is what some interleaving allows, TSO allows no less, and orders are orders") {
  generate::Random random(8);
  int answers[2] = {0, 0}, weaker = 0;
  for (int round = 0; round < 400; ++round) {
    const History h = random_history(random);
    const Execution x = h.view();
    const bool expected = some_interleaving(x);
    for (const bool saturate : {false, true}) {
      Budget budget = unlimited();
      const Result result = check_global_order(x, {}, Memory::kSc, Time::kIgnored, saturate, budget);
      REQUIRE(consistent(result) == expected);
      if (expected) CHECK(verify::is_interleaving(x, result.order));
    }
    if (expected) CHECK(allowed(x, Memory::kTso));
    weaker += allowed(x, Memory::kTso) && !expected;
    ++answers[expected];
  }
  CHECK(answers[0] > 50);
  CHECK(answers[1] > 50);
  CHECK(weaker > 0);
}

TEST_CASE("a search without steps to spend is undecided") {
  generate::Random random(9);
  const History h = test::store_buffering();
  Budget budget(0, 1, 0, nullptr);
  budget.spend(2);
  CHECK(test::undecided(check_global_order(h.view(), {}, Memory::kSc, Time::kIgnored, false, budget)));
}
