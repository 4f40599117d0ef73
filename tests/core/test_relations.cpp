// Sets and relations as bits, against sets of pairs, at sizes on both sides of a word.
#include <doctest/doctest.h>

#include <set>
#include <utility>
#include <vector>

#include "automata/bits.hpp"
#include "explore/bits.hpp"
#include "generate/random.hpp"
#include "relations/matrix.hpp"

using namespace porf::relations;

namespace {

using Pairs = std::set<std::pair<std::size_t, std::size_t>>;

struct Matrix {
  Shape shape;
  std::vector<Word> bits;

  explicit Matrix(std::size_t n) : shape(n), bits(shape.size()) {}
  Matrix(std::size_t n, const Pairs& pairs) : Matrix(n) {
    for (auto [i, j] : pairs) set(&bits[i * shape.words], j);
  }
  Pairs pairs() const {
    Pairs out;
    for (std::size_t i = 0; i < shape.events; ++i)
      for_each_bit(&bits[i * shape.words], shape.words, [&](std::size_t j) { out.emplace(i, j); });
    return out;
  }
};

Pairs random_pairs(porf::generate::Random& random, std::size_t n, std::size_t count) {
  Pairs out;
  for (std::size_t i = 0; i < count; ++i)
    out.emplace(random.below(static_cast<std::uint32_t>(n)), random.below(static_cast<std::uint32_t>(n)));
  return out;
}

Pairs composed(const Pairs& left, const Pairs& right) {
  Pairs out;
  for (auto [i, j] : left)
    for (auto [k, l] : right)
      if (j == k) out.emplace(i, l);
  return out;
}

Pairs closed(Pairs pairs) {
  for (std::size_t before = 0; before != pairs.size();) {
    before = pairs.size();
    pairs.merge(composed(pairs, pairs));
  }
  return pairs;
}

bool has_loop(const Pairs& pairs) {
  for (auto [i, j] : pairs)
    if (i == j) return true;
  return false;
}

const auto kNoPulse = [] {};

}  // namespace

TEST_CASE("matrices do what relations do") {
  porf::generate::Random random(1);
  for (const std::size_t n : {1, 5, 63, 64, 65, 130}) {
    for (int round = 0; round < 8; ++round) {
      const Pairs left = random_pairs(random, n, 1 + n / 2), right = random_pairs(random, n, 1 + n / 2);
      Matrix a(n, left), b(n, right), out(n);
      compose(a.shape, a.bits.data(), b.bits.data(), out.bits.data(), kNoPulse);
      CHECK(out.pairs() == composed(left, right));

      invert(a.shape, a.bits.data(), out.bits.data());
      Pairs backwards;
      for (auto [i, j] : left) backwards.emplace(j, i);
      CHECK(out.pairs() == backwards);

      std::vector<Word> alive(a.shape.words);
      const Pairs closure = closed(left);
      CHECK(is_acyclic(a.shape, a.bits.data(), alive.data(), kNoPulse) == !has_loop(closure));
      CHECK(is_irreflexive(a.shape, a.bits.data()) == !has_loop(left));
      close_transitively(a.shape, a.bits.data(), kNoPulse);
      CHECK(a.pairs() == closure);

      add_identity(b.shape, b.bits.data());
      CHECK_FALSE(is_irreflexive(b.shape, b.bits.data()));
    }
  }
}

TEST_CASE("an empty matrix is empty, acyclic and irreflexive") {
  Matrix none(0), some(70);
  std::vector<Word> alive(2);
  for (const Matrix* m : {&none, &some}) {
    CHECK(is_empty(m->bits.data(), m->bits.size()));
    CHECK(is_irreflexive(m->shape, m->bits.data()));
    CHECK(is_acyclic(m->shape, m->bits.data(), alive.data(), kNoPulse));
  }
}

TEST_CASE("a long computation on a matrix can be left by throwing") {
  Matrix m(100);
  int pulses = 0;
  CHECK_THROWS_AS(close_transitively(m.shape, m.bits.data(),
                                     [&] {
                                       if (++pulses == 10) throw 1;
                                     }),
                  int);
  CHECK(pulses == 10);
}

TEST_CASE("the next bit of a row") {
  Matrix m(200, {{0, 3}, {0, 64}, {0, 199}});
  const Word* row = m.bits.data();
  CHECK(next_bit(row, m.shape.words, 0, 999) == 3);
  CHECK(next_bit(row, m.shape.words, 3, 999) == 3);
  CHECK(next_bit(row, m.shape.words, 4, 999) == 64);
  CHECK(next_bit(row, m.shape.words, 65, 999) == 199);
  CHECK(next_bit(row, m.shape.words, 200, 999) == 999);
}

TEST_CASE("sets of a fixed size do what sets do") {
  using Bits = porf::explore::Bits<2>;
  porf::generate::Random random(2);
  for (int round = 0; round < 200; ++round) {
    Bits a, b;
    std::set<std::int32_t> in_a, in_b;
    for (std::uint32_t i = random.below(12); i-- > 0;) {
      a.set(static_cast<std::int32_t>(*in_a.insert(static_cast<std::int32_t>(random.below(128))).first));
      b.set(static_cast<std::int32_t>(*in_b.insert(static_cast<std::int32_t>(random.below(128))).first));
    }
    std::set<std::int32_t> meet;
    for (std::int32_t i : in_a)
      if (in_b.count(i)) meet.insert(i);
    CHECK(a.count() == static_cast<std::int32_t>(in_a.size()));
    CHECK(a.any() == !in_a.empty());
    if (a.any()) CHECK(a.first() == *in_a.begin());
    CHECK(a.meets(b) == !meet.empty());
    CHECK((a & b).count() == static_cast<std::int32_t>(meet.size()));
    CHECK(a.contains(b) == (meet == in_b));
    std::set<std::int32_t> seen;
    a.each([&](std::int32_t i) { seen.insert(i); });
    CHECK(seen == in_a);
    Bits both = a;
    both.add(b);
    both.remove(a);
    CHECK(both.count() == static_cast<std::int32_t>(in_b.size() - meet.size()));
  }
  for (std::int32_t n = 0; n <= 127; ++n) {
    CHECK(Bits::below(n).count() == n);
    CHECK_FALSE(Bits::below(n).test(n));
  }
}
