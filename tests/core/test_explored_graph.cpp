// The graph of an exploration: an end that is cut off and put back, and searches among a thread's accesses of a place.
#include <doctest/doctest.h>

#include <vector>

#include "explore/graph.hpp"
#include "generate/random.hpp"

using namespace porf::explore;

namespace {

constexpr std::int32_t kThreads = 4, kWidth = 16;

std::int32_t add(Graph& g, porf::generate::Random& random) {
  Event v;
  v.thread = static_cast<std::int32_t>(random.below(kThreads));
  v.op = random.below(3) == 0 ? porf::kWrite : porf::kRead;
  if (random.below(9) == 0) {
    v.op = kFreeOp;
    v.other = static_cast<std::int32_t>(1 + random.below(3));
  } else {
    v.loc = static_cast<std::int32_t>(random.below(3));
  }
  if (v.op == porf::kRead) {
    v.rf = porf::kInitial;
    for (std::int32_t w = g.last_at(v.loc); w >= 0; w = g[w].at)
      if (g[w].writes() && random.below(2) == 0) v.rf = w;
  }
  std::int32_t e = g.append(v);
  std::int64_t* state = g.state_after(e);
  state[kTop] = kHeader + 2;
  state[kHeader] = e;
  g.after[static_cast<std::size_t>(e)].pc = e;
  return e;
}

bool same(const Event& a, const Event& b) {
  return a.thread == b.thread && a.index == b.index && a.prev == b.prev && a.loc == b.loc && a.rf == b.rf &&
         a.at == b.at && a.same == b.same && a.leap == b.leap && a.op == b.op && a.other == b.other;
}

void check_same(const Graph& a, const Graph& b) {
  REQUIRE(a.size() == b.size());
  CHECK(a.last == b.last);
  for (std::int32_t loc = 0; loc < 3; ++loc) {
    CHECK(a.last_at(loc) == b.last_at(loc));
    for (std::int32_t t = 0; t < kThreads; ++t) CHECK(a.last_of(loc, t) == b.last_of(loc, t));
    CHECK(a.last_end_of(loc + 1) == b.last_end_of(loc + 1));
  }
  CHECK(a.arrival == b.arrival);
  CHECK(a.clocks == b.clocks);
  for (std::int32_t e = 0; e < a.size(); ++e) {
    CHECK(same(a[e], b[e]));
    CHECK(a.state_after(e)[kHeader] == b.state_after(e)[kHeader]);
    CHECK(a.pending_after(e).pc == b.pending_after(e).pc);
  }
}

}  // namespace

TEST_CASE("an end that is cut off, in one piece or two, can be put back") {
  porf::generate::Random random(11);
  for (int round = 0; round < 200; ++round) {
    Graph g(kThreads, kWidth);
    std::int32_t n = static_cast<std::int32_t>(5 + random.below(40));
    while (g.size() < n) add(g, random);
    const Graph before = g;
    Tail tail;
    tail.clear(n, g.stride);
    auto from = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(n)));
    auto earlier = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(from + 1)));
    g.cut_off(from, tail);
    g.cut_off(earlier, tail);
    REQUIRE(g.size() == earlier);
    REQUIRE(tail.first() == earlier);
    for (std::uint32_t i = random.below(10); i > 0; --i) add(g, random);  // something else comes and goes
    g.shorten(earlier);
    g.put_back(tail, from);
    g.put_back(tail, n);
    check_same(g, before);
  }
}

TEST_CASE("what is kept of an end has new numbers, and reads what it read") {
  porf::generate::Random random(12);
  for (int round = 0; round < 200; ++round) {
    Graph g(kThreads, kWidth);
    while (g.size() < 30) add(g, random);
    const Graph before = g;
    auto from = static_cast<std::int32_t>(1 + random.below(28));
    std::int32_t goal = 29;
    std::vector<bool> keep(30, true);
    for (std::int32_t e = from; e < 30; ++e) keep[e] = before.before(e, before.porf(goal));
    Tail tail;
    tail.clear(30, g.stride);
    g.cut_off(from, tail);
    std::vector<std::int32_t> renamed;
    g.admit(tail, keep, -1, renamed);
    Graph copy(kThreads, kWidth);
    std::vector<std::int32_t> all_renamed;
    copy.restrict_to(before, keep, -1, all_renamed);
    for (std::size_t e = static_cast<std::size_t>(from); e < 30; ++e) CHECK(renamed[e] == all_renamed[e]);
    check_same(g, copy);
  }
}

TEST_CASE("the last access of a thread before a number is found by leaps") {
  porf::generate::Random random(13);
  Graph g(kThreads, kWidth);
  while (g.size() < 3000) add(g, random);
  for (int round = 0; round < 2000; ++round) {
    auto loc = static_cast<std::int32_t>(random.below(3)), thread = static_cast<std::int32_t>(random.below(kThreads));
    auto end = static_cast<std::int32_t>(random.below(3000));
    std::int32_t expected = g.last_of(loc, thread);
    while (expected >= end) expected = g[expected].same;
    int looks = 0;
    std::int32_t found = g.last_of(g.last_of(loc, thread), [&](std::int32_t e) { return ++looks, e < end; });
    CHECK(found == expected);
    CHECK(looks < 150);  // of about 220 accesses
  }
}
