// Draws from splitmix64, a counter put through a mixing function: fast, and the same everywhere.
#include "stress/program.hpp"

#include <algorithm>

#include "execution.hpp"
#include "generate/simulate.hpp"

namespace porf::stress {
namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint32_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 32);
  }

  std::int32_t below(std::int32_t bound) {
    return static_cast<std::int32_t>((std::uint64_t{next()} * static_cast<std::uint64_t>(bound)) >> 32);
  }

 private:
  std::uint64_t state_;
};

}  // namespace

Program draw(const Shape& shape, std::uint64_t seed) {
  constexpr double kAll = 4294967296.0;  // one more than the largest number that is drawn
  double sum = 0, so_far = 0;
  for (double share : shape.mix) sum += share;
  std::array<std::uint64_t, 4> border{};
  std::uint8_t last = kRead;  // what is drawn where rounding left a gap at the end
  for (std::uint8_t op = kRead; op <= kFence; ++op) {
    so_far += shape.mix[op];
    border[op] = static_cast<std::uint64_t>(so_far / sum * kAll);
    if (shape.mix[op] > 0) last = op;
  }
  Random random(seed);
  auto size = static_cast<std::size_t>(shape.ops);
  Program program{shape.threads, 0, std::vector<std::int32_t>(size), std::vector<std::int32_t>(size),
                  std::vector<std::uint8_t>(size)};
  for (std::int32_t row = 0, t = 0; row < shape.ops; ++row, t = t + 1 == shape.threads ? 0 : t + 1) {
    std::uint64_t number = random.next();
    std::uint8_t op = kRead;
    while (op < last && number >= border[op]) ++op;
    program.thread[row] = t;
    program.op[row] = op;
    program.loc[row] = op == kFence ? -1 : random.below(shape.locations);
  }
  program.loc = generate::number_by_appearance(program.loc, shape.locations);
  if (size > 0) program.locations = *std::max_element(program.loc.begin(), program.loc.end()) + 1;
  return program;
}

}  // namespace porf::stress
