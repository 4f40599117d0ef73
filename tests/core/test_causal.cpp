// The causal criteria of Zennou et al. 2019 on the shapes that tell them apart.
#include <doctest/doctest.h>

#include "causal/check.hpp"
#include "history.hpp"

using namespace porf;
using porf::causal::Criterion;
using porf::test::consistent;
using porf::test::History;

namespace {

bool allowed(const History& h, Criterion criterion) {
  Budget budget = test::unlimited();
  return consistent(causal::check(h.view(), criterion, budget));
}

constexpr Criterion kAll[] = {Criterion::kCcv, Criterion::kCm, Criterion::kCcm, Criterion::kWccm};

}  // namespace

TEST_CASE("message passing is causal, so a stale read breaks all of them") {
  for (const Criterion criterion : kAll) CHECK_FALSE(allowed(test::message_passing(kRlx, kRlx), criterion));
}

TEST_CASE("store buffering: only the criterion that approximates SC forbids it, as SC does and TSO does not") {
  for (const Criterion criterion : kAll)
    CHECK(allowed(test::store_buffering(), criterion) == (criterion != Criterion::kCcm));
}

TEST_CASE("readers that disagree: memory may differ for each thread, convergence forbids it") {
  const History h = test::disagreeing_readers();
  CHECK_FALSE(allowed(h, Criterion::kCcv));
  CHECK(allowed(h, Criterion::kCm));
  CHECK_FALSE(allowed(h, Criterion::kCcm));
}

TEST_CASE("a thread that goes back to an older write breaks causal memory") {
  History h;
  const std::int32_t a = h.write(0, 0), b = h.write(1, 0);
  h.read(2, 0, a);
  h.read(2, 0, b);
  h.read(2, 0, a);
  for (const Criterion criterion : {Criterion::kCm, Criterion::kCcm}) CHECK_FALSE(allowed(h, criterion));
}

TEST_CASE("a cycle of reads and program order is refuted with its edges") {
  History h;
  const std::int32_t r = h.read(0, 0, kInitial);
  const std::int32_t w = h.write(0, 1);
  h.read(1, 1, w);
  h.set_rf(r, h.write(1, 0));
  Budget budget = test::unlimited();
  const causal::Result result = causal::check(h.view(), Criterion::kCcm, budget);
  CHECK_FALSE(consistent(result));
  CHECK(result.breach == causal::Breach::kCausal);
  CHECK_FALSE(result.cycle.empty());
}
