// What a thread may use, whatever it is doing: until when, and how much memory. The budgets that Python hands in obey
// that, and so does work that has none: large blocks are asked for, and loops look here now and then.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

#include "budget.hpp"
#include "process.hpp"

namespace porf {

// Thrown where a limit ends work that has nothing to say by halves.
struct Spent {
  Limit limit;
};

class Allowance {
 public:
  using Clock = std::chrono::steady_clock;

  static Allowance& of_thread() {
    thread_local Allowance allowance;
    return allowance;
  }

  // Allows no more than this, from now on; 0 means no limit. Bytes are those of the whole process.
  void narrow(double seconds, std::uint64_t bytes) {
    if (seconds > 0) {
      auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
      deadline_ = std::min(deadline_.value_or(until), until);
    }
    if (bytes > 0) bytes_ = bytes_ == 0 ? bytes : std::min(bytes_, bytes);
  }

  // So many seconds, or what is left, if that is less; 0 means no limit.
  double at_most(double seconds) const {
    if (!deadline_) return seconds;
    const double left = std::max(1e-6, std::chrono::duration<double>(*deadline_ - Clock::now()).count());
    return seconds > 0 ? std::min(seconds, left) : left;
  }

  // Which limit is exceeded; `grace`: by so many seconds, or that share of the memory.
  Limit exceeded(double grace = 0) {
    if (!deadline_ && bytes_ == 0) return Limit::kNone;
    const auto now = Clock::now();
    if (deadline_ && std::chrono::duration<double>(now - *deadline_).count() > grace) return Limit::kTime;
    if (bytes_ == 0) return Limit::kNone;
    if (now >= weigh_next_) {
      weigh_next_ = now + kWeighEvery;
      resident_ = resident_bytes();
    }
    return static_cast<double>(resident_) > static_cast<double>(bytes_) * (1 + grace) ? Limit::kMemory : Limit::kNone;
  }

  // Before so much more is allocated. Throws Spent if that would be too much.
  void claim(std::uint64_t bytes) const {
    if (bytes_ != 0 && resident_bytes() + bytes > bytes_) throw Spent{Limit::kMemory};
  }

  // The same between the parts of work that is done at one go.
  void look() {
    if (const Limit limit = exceeded(); limit != Limit::kNone) throw Spent{limit};
    listen();
  }

  // Lets the caller deliver signals, who may throw.
  void listen() const {
    if (hear != nullptr) hear();
  }

  inline static void (*hear)() = nullptr;

 private:
  static constexpr std::chrono::milliseconds kWeighEvery{5};

  std::optional<Clock::time_point> deadline_;
  std::uint64_t bytes_ = 0;
  std::uint64_t resident_ = 0;  // when it was weighed last
  Clock::time_point weigh_next_{};
};

// Work of a loop that has no budget, or that is smaller than a step of its budget. It throws Spent.
class Toil {
 public:
  void demand(std::uint64_t work = 1) {
    work_ += work;
    if (work_ < kWorkALook) return;
    work_ = 0;
    Allowance::of_thread().look();
  }

 private:
  static constexpr std::uint64_t kWorkALook = std::uint64_t{1} << 17;

  std::uint64_t work_ = 0;
};

}  // namespace porf
