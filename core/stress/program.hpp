// Random programs: what each thread of a stress test will do, drawn before it runs.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace porf::stress {

struct Shape {
  std::int32_t threads = 2;
  std::int32_t ops = 10'000;  // of all threads together
  std::int32_t locations = 4;
  std::array<double, 4> mix{};  // the share of each operation, by its number in Op
};

// Rows go round the threads, so that the i-th operations of all threads stand side by side: thread t's i-th is row i *
// threads + t. That is near the order in which they will run. Locations are numbered as they appear.
struct Program {
  std::int32_t threads = 0, locations = 0;  // locations: those that appear
  std::vector<std::int32_t> thread, loc;
  std::vector<std::uint8_t> op;

  std::int32_t size() const { return static_cast<std::int32_t>(op.size()); }
  std::int32_t length(std::int32_t t) const { return (size() - t + threads - 1) / threads; }
};

// The same seed gives the same program, on every machine.
Program draw(const Shape& shape, std::uint64_t seed);

}  // namespace porf::stress
