// The loop of a thread, and the way from the values that it saw to reads-from.
//
// A write of row r writes the value r + 1, so a value that was read names its writer. Threads start together
// again after every burst: a barrier's wait is short beside a burst's misses, and it brings threads that
// drifted apart back to where they race. The barriers are not recorded. They only make some orders happen
// that the execution does not show, so what is inconsistent is so in spite of them.
#include "stress/harness.hpp"

#include <algorithm>
#include <limits>

#include "execution.hpp"
#include "stress/barrier.hpp"

namespace porf::stress {
namespace {

constexpr std::int64_t kNoValue = std::numeric_limits<std::int64_t>::min();
constexpr std::uint32_t kOpBits = 2;
constexpr std::uint32_t kCellsOfLine = 16;  // 128 bytes: many processors fetch lines of 64 in pairs

}  // namespace

void Harness::prepare(const Program& program, const Layout& layout) {
  std::uint32_t stride = layout.packed ? 1 : kCellsOfLine;
  // All zero. What lies before and after the cells in their lines is nobody's.
  memory_ = std::vector<Cell>(static_cast<std::size_t>(program.locations) * stride + 2 * kCellsOfLine);
  std::uintptr_t past_line = reinterpret_cast<std::uintptr_t>(memory_.data()) / sizeof(Cell) % kCellsOfLine;
  first_cell_ = memory_.data() + (kCellsOfLine - past_line);
  lanes_.resize(static_cast<std::size_t>(program.threads));
  for (std::int32_t t = 0; t < program.threads; ++t) {
    Lane& lane = lanes_[t];
    auto length = static_cast<std::size_t>(program.length(t));
    lane.steps.resize(length);
    lane.seen.assign(length, kNoValue);
    for (std::size_t i = 0; i < length; ++i) {
      std::size_t row = i * static_cast<std::size_t>(program.threads) + static_cast<std::size_t>(t);
      auto cell = static_cast<std::uint32_t>(std::max(program.loc[row], 0)) * stride;
      lane.steps[i] = (cell << kOpBits) | program.op[row];
    }
  }
}

// The C++ compiler may itself reorder relaxed accesses of different locations, and then this would test the
// compiler. It cannot here: the operations are data that it does not know, and the signal fence, which costs
// no instruction, keeps it from moving an access out of its turn of the loop. What is left is the processor.
void Harness::run_lane(std::int32_t t, std::int32_t first, std::int32_t last) {
  const auto threads = static_cast<std::int64_t>(lanes_.size());
  const Step* const steps = lanes_[t].steps.data();
  std::int64_t* const seen = lanes_[t].seen.data();
  Cell* const cells = first_cell_;
  std::int64_t value = first * threads + t + 1;
  for (std::int32_t i = first; i < last; ++i, value += threads) {
    Cell& cell = cells[steps[i] >> kOpBits];
    switch (steps[i] & ((1U << kOpBits) - 1)) {
      case kRead:
        seen[i] = cell.load(std::memory_order_relaxed);
        break;
      case kWrite:
        cell.store(value, std::memory_order_relaxed);
        break;
      case kUpdate:
        seen[i] = cell.exchange(value, std::memory_order_relaxed);
        break;
      default:
        std::atomic_thread_fence(std::memory_order_seq_cst);
    }
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
}

Observed Harness::run(const Program& program, const Layout& layout, const std::function<void()>& poll) {
  prepare(program, layout);
  constexpr std::int32_t kSpins = 4096;
  SpinBarrier barrier(program.threads, program.threads <= usable_cores() ? kSpins : 0);
  const std::int32_t longest = program.length(0);
  auto body = [&](std::int32_t t) {
    const std::int32_t length = program.length(t);
    for (std::int32_t first = 0; first < longest && barrier.wait(); first += layout.burst)
      run_lane(t, std::min(first, length), std::min(first + layout.burst, length));
  };
  pool_.run(body, poll, [&] { barrier.stop(); });
  return gather(program);
}

Observed Harness::gather(const Program& program) const {
  auto size = static_cast<std::size_t>(program.size());
  Observed out{std::vector<std::int32_t>(size), std::vector<std::int64_t>(size), std::vector<std::int64_t>(size)};
  for (std::size_t row = 0; row < size; ++row) {
    const std::int64_t seen = lanes_[program.thread[row]].seen[row / lanes_.size()];
    const bool writes = program.op[row] == kWrite || program.op[row] == kUpdate;
    out.read_value[row] = seen;
    out.rf[row] = seen <= 0 ? kInitial : static_cast<std::int32_t>(seen - 1);
    out.written_value[row] = writes ? static_cast<std::int64_t>(row) + 1 : kNoValue;
  }
  return out;
}

}  // namespace porf::stress
