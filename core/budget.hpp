// How a decision ends: with an answer, or because it has spent what it may. A budget tells it when to stop: a
// clock, a step count, a caller's poll.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>

namespace porf {

// Does an execution satisfy a model?
enum class Answer : std::uint8_t { kConsistent = 0, kInconsistent = 1, kUndecided = 2 };

// Which limit ended a computation.
enum class Limit : std::uint8_t { kNone = 0, kSteps = 1, kTime = 2, kMemory = 3, kStopped = 4 };

// Counts steps; every few thousand it looks at the clock and asks the caller, who may say stop, or throw.
class Budget {
 public:
  using Poll = std::function<bool(std::uint64_t steps)>;  // true: stop

  Budget(double seconds, std::uint64_t steps, std::uint64_t bytes, Poll poll)
      : max_steps_(steps), max_bytes_(bytes), poll_(std::move(poll)) {
    if (steps > 0) next_look_ = std::min(next_look_, steps + 1);
    if (seconds > 0) {
      timed_ = true;
      deadline_ = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                         std::chrono::duration<double>(seconds));
    }
  }

  // One step of work; false when the budget is spent. Once spent, it stays spent.
  bool spend(std::uint64_t steps = 1) {
    used_ += steps;
    if (used_ >= next_look_) look();
    return !spent();
  }

  // Whether so much memory may be held; false ends the budget.
  bool hold(std::uint64_t bytes) {
    if (max_bytes_ != 0 && bytes > max_bytes_) end(Limit::kMemory);
    return !spent();
  }

  bool spent() const { return limit_ != Limit::kNone; }
  Limit limit() const { return limit_; }
  std::uint64_t used() const { return used_; }

 private:
  static constexpr std::uint64_t kLookEvery = 4096;

  void end(Limit limit) {
    if (limit_ == Limit::kNone) limit_ = limit;
  }

  void look() {
    next_look_ = used_ + kLookEvery;
    if (max_steps_ >= used_) next_look_ = std::min(next_look_, max_steps_ + 1);
    if (max_steps_ != 0 && used_ > max_steps_) end(Limit::kSteps);
    if (timed_ && std::chrono::steady_clock::now() > deadline_) end(Limit::kTime);
    if (poll_ && poll_(used_)) end(Limit::kStopped);
  }

  std::uint64_t max_steps_;
  std::uint64_t max_bytes_;
  Poll poll_;
  bool timed_ = false;
  Limit limit_ = Limit::kNone;
  std::chrono::steady_clock::time_point deadline_{};
  std::uint64_t used_ = 0;
  std::uint64_t next_look_ = kLookEvery;
};

}  // namespace porf
