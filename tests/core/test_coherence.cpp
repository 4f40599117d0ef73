// The kernels of the C11 family: known shapes, and random executions against all modification orders.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "coherence/check.hpp"
#include "coherence/monitor.hpp"
#include "coherence/schedule.hpp"
#include "generate/random.hpp"
#include "history.hpp"
#include "verify/witness.hpp"

using namespace porf;
using namespace porf::coherence;
using porf::test::consistent;
using porf::test::History;
using porf::test::unlimited;

namespace {

Result decided(const Execution& x, Monitored model) {
  Budget budget = unlimited();
  switch (model) {
    case Monitored::kRelaxed:
      return check_coherence(x, Sync::kPoOnly, budget);
    case Monitored::kRc20:
      return check_coherence(x, Sync::kOrders, budget);
    case Monitored::kRa:
      return check_coherence(x, Sync::kAll, budget);
    case Monitored::kWra:
      return check_wra(x, budget);
    case Monitored::kSra:
      return check_sra(x, budget);
  }
  return {};
}

constexpr Monitored kModels[] = {Monitored::kRelaxed, Monitored::kRc20, Monitored::kRa, Monitored::kWra,
                                 Monitored::kSra};

verify::Axioms axioms_of(Monitored model) { return static_cast<verify::Axioms>(model); }

// By definition: is there a modification order that the axioms allow?
bool allowed_by_some_order(const Execution& x, verify::Axioms axioms, std::vector<std::vector<std::int32_t>> writes,
                           std::size_t loc) {
  if (loc == writes.size()) {
    std::vector<std::int32_t> mo;
    std::vector<std::int64_t> start{0};
    for (const auto& of_location : writes) {
      mo.insert(mo.end(), of_location.begin(), of_location.end());
      start.push_back(static_cast<std::int64_t>(mo.size()));
    }
    return verify::check_witness(x, axioms, mo, start).fault == verify::Fault::kNone;
  }
  std::sort(writes[loc].begin(), writes[loc].end());
  do {
    if (allowed_by_some_order(x, axioms, writes, loc + 1)) return true;
  } while (std::next_permutation(writes[loc].begin(), writes[loc].end()));
  return false;
}

bool allowed(const Execution& x, Monitored model) {
  std::vector<std::vector<std::int32_t>> writes(x.locations);
  for (std::int32_t e = 0; e < x.size(); ++e)
    if (x.writes(e)) writes[x.loc[e]].push_back(e);
  return allowed_by_some_order(x, axioms_of(model), writes, 0);
}

History random_history(generate::Random& random, bool updates) {
  History h;
  std::vector<std::vector<std::int32_t>> writers(2);
  std::vector<std::pair<std::int32_t, std::int32_t>> readers;
  for (std::uint32_t i = 4 + random.below(5); i-- > 0;) {
    const auto thread = static_cast<std::int32_t>(random.below(3)), loc = static_cast<std::int32_t>(random.below(2));
    const bool relaxed = random.chance(0.4);
    const std::uint32_t op = random.below(updates ? 5 : 4);
    if (op < 2) {
      readers.emplace_back(h.read(thread, loc, kInitial, relaxed ? kRlx : kAcq), loc);
    } else if (op < 4) {
      writers[loc].push_back(h.write(thread, loc, relaxed ? kRlx : kRel));
    } else {
      writers[loc].push_back(h.update(thread, loc, kInitial, relaxed ? kRlx : kAcqRel));
      readers.emplace_back(writers[loc].back(), loc);
    }
  }
  for (auto [row, loc] : readers) {
    const std::uint32_t choice = random.below(static_cast<std::uint32_t>(writers[loc].size()) + 1);
    if (choice < writers[loc].size() && writers[loc][choice] != row) h.set_rf(row, writers[loc][choice]);
  }
  return h;
}

}  // namespace

TEST_CASE("message passing: forbidden where release and acquire synchronise, or always do") {
  const History relaxed = test::message_passing(kRlx, kRlx), ordered = test::message_passing(kRel, kAcq);
  CHECK(consistent(decided(relaxed.view(), Monitored::kRelaxed)));
  CHECK(consistent(decided(relaxed.view(), Monitored::kRc20)));
  CHECK(consistent(decided(ordered.view(), Monitored::kRelaxed)));
  CHECK_FALSE(consistent(decided(ordered.view(), Monitored::kRc20)));
  for (const Monitored model : {Monitored::kRa, Monitored::kWra, Monitored::kSra}) {
    CHECK_FALSE(consistent(decided(relaxed.view(), model)));
    CHECK_FALSE(consistent(decided(ordered.view(), model)));
  }
}

TEST_CASE("store buffering is allowed by all five") {
  const History h = test::store_buffering();
  for (const Monitored model : kModels) CHECK(consistent(decided(h.view(), model)));
}

TEST_CASE("readers that disagree about one location need more than weak release-acquire to be forbidden") {
  const History h = test::disagreeing_readers();
  for (const Monitored model : kModels) CHECK(consistent(decided(h.view(), model)) == (model == Monitored::kWra));
  CHECK(decided(h.view(), Monitored::kRa).breach == Breach::kCycle);
}

TEST_CASE("two updates of one write") {
  History h;
  const std::int32_t w = h.write(0, 0);
  h.update(1, 0, w);
  h.update(2, 0, w);
  for (const Monitored model : kModels) CHECK_FALSE(consistent(decided(h.view(), model)));
  CHECK(decided(h.view(), Monitored::kRelaxed).breach == Breach::kAtomicity);
}

TEST_CASE("2+2W: strong release-acquire alone forbids it") {
  History h;
  h.write(0, 0);
  const std::int32_t b = h.write(0, 1);
  h.write(1, 1);
  const std::int32_t d = h.write(1, 0);
  h.read(2, 1, b);
  h.set_rf(h.read(2, 1, kInitial), 2);
  h.read(3, 0, d);
  h.set_rf(h.read(3, 0, kInitial), 0);
  CHECK(consistent(decided(h.view(), Monitored::kRa)));
  CHECK_FALSE(consistent(decided(h.view(), Monitored::kSra)));
}

TEST_CASE("a schedule respects po and rf, or shows the cycle") {
  History h;
  const std::int32_t r = h.read(0, 0, kInitial), w = h.write(0, 1);
  const std::int32_t r2 = h.read(1, 1, w), w2 = h.write(1, 0);
  Budget budget = unlimited();
  CHECK(make_schedule(h.view(), budget).order.empty());  // the rows are one already
  h.set_rf(r, w2);
  CHECK_FALSE(make_schedule(h.view(), budget).cycle.empty());
  CHECK(decided(h.view(), Monitored::kRelaxed).breach == Breach::kPoRf);

  History backwards;
  const std::int32_t reader = backwards.read(0, 0, 1), writer = backwards.write(1, 0);
  const Schedule schedule = make_schedule(backwards.view(), budget);
  REQUIRE(schedule.cycle.empty());
  CHECK(schedule.at(0) == writer);
  CHECK(schedule.at(1) == reader);
  CHECK(r2 == 2);
}

TEST_CASE("random executions: the kernels and the definition agree, and witnesses hold") {
  generate::Random random(6);
  int answers[2] = {0, 0};
  for (int round = 0; round < 1500; ++round) {
    const History h = random_history(random, true);
    const Execution x = h.view();
    for (const Monitored model : kModels) {
      const Result result = decided(x, model);
      REQUIRE(consistent(result) == allowed(x, model));
      ++answers[consistent(result)];
      if (!consistent(result) || model == Monitored::kWra) continue;
      CHECK(verify::check_witness(x, axioms_of(model), result.mo, result.mo_start).fault == verify::Fault::kNone);
    }
  }
  CHECK(answers[0] > 500);
  CHECK(answers[1] > 500);
}

TEST_CASE("the monitor says what the kernels say of every prefix") {
  generate::Random random(7);
  for (int round = 0; round < 400; ++round) {
    const History h = random_history(random, false);
    const Execution x = h.view();
    Budget budget = unlimited();
    const Schedule schedule = make_schedule(x, budget);
    if (!schedule.cycle.empty() || !schedule.order.empty()) continue;
    for (const Monitored model : kModels) {
      const auto monitor = Monitor::make(model);
      for (std::int32_t e = 0; e < x.size(); ++e) monitor->feed(x.thread[e], x.op[e], x.loc[e], x.order[e], x.rf[e]);
      CHECK((monitor->breach() == Breach::kFine) == consistent(decided(x, model)));
    }
  }
}

TEST_CASE("a spent budget gives no answer, never a wrong one") {
  const History h = test::message_passing(kRel, kAcq);
  Budget budget(0, 1, 0, nullptr);
  budget.spend(2);
  CHECK(test::undecided(check_coherence(h.view(), Sync::kAll, budget)));
}
