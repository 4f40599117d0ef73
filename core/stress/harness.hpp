// Runs a random program on the machine's own cores, and gathers what its reads saw into an execution.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "stress/pool.hpp"
#include "stress/program.hpp"

namespace porf::stress {

struct Layout {
  std::int32_t burst = 32;  // operations of a thread from one common start to the next
  bool packed = false;      // locations side by side in one cache line, or each in lines of its own
};

// The columns that a program does not have: what was read, from which row, and what was written.
struct Observed {
  std::vector<std::int32_t> rf;
  std::vector<std::int64_t> read_value, written_value;
};

class Harness {
 public:
  explicit Harness(std::int32_t threads) : pool_(threads) {}

  std::int32_t threads() const { return pool_.size(); }

  // The program has as many threads as the harness. `poll` may throw, and ends the run then.
  Observed run(const Program& program, const Layout& layout, const std::function<void()>& poll);

 private:
  // One operation as a thread meets it: where, and what; four bytes, so that the list is read ahead.
  using Step = std::uint32_t;
  using Cell = std::atomic<std::int64_t>;

  // What one thread is given, and what it saw; no two threads share a line of it.
  struct alignas(128) Lane {
    std::vector<Step> steps;
    std::vector<std::int64_t> seen;
  };

  void prepare(const Program& program, const Layout& layout);
  void run_lane(std::int32_t t, std::int32_t first, std::int32_t last);
  Observed gather(const Program& program) const;

  std::vector<Cell> memory_;
  Cell* first_cell_ = nullptr;  // the first in memory_ that starts a line
  std::vector<Lane> lanes_;
  Pool pool_;
};

}  // namespace porf::stress
