// The choices of a run, at random or as a path says. Choice 0 is the plain one: go on with the same thread, read the
// newest write. So a short path is a plain run, and one that is made simpler is a run, too.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <vector>

#include "generate/random.hpp"
#include "testing/testing.hpp"

namespace porf::testing {

class Choices {
 public:
  explicit Choices(const TestSettings& settings) : settings_(settings), random_(settings.seed) {}

  // What a path begins with, if there are two ways to keep its run: the one for short runs, or the one for long ones.
  enum class Length : std::int8_t { kAny = -1, kShort = 0, kLong = 1 };

  // A run at random; other numbers make other runs.
  void begin(std::uint64_t run, Length length) {
    path_ = nullptr;
    begin_path(length);
    measure();
    random_ = generate::Random(settings_.seed * 0x9E3779B97F4A7C15u ^ run * 0xD1B54A32D192ED03u);
    random_.draw();
    scheduler_ = settings_.scheduler;
    // Half of the runs of a mix go anywhere; a quarter each keeps to priorities, and to a thread for a while.
    if (scheduler_ == Scheduler::kMix) {
      std::uint32_t n = random_.below(4);
      scheduler_ = n < 2 ? Scheduler::kUniform : n == 2 ? Scheduler::kPct : Scheduler::kSticky;
    }
    reading_ = settings_.reading;
    if (reading_ == Reading::kMix) {
      constexpr Reading kWays[] = {Reading::kUniform, Reading::kUniform, Reading::kOld, Reading::kNew,
                                   Reading::kUnseen};
      reading_ = kWays[random_.below(5)];
    }
    patience_ = 2u << random_.below(6);
    staleness_ = 1 + random_.below(7);  // out of eight
    haste_ = 1u << random_.below(3);    // likewise
    if (scheduler_ == Scheduler::kPct) begin_priorities(settings_.scheduler == Scheduler::kMix);
    low_ = 0;
    same_ = 0;
  }

  // A run that was made before.
  void begin(const Path& path, Length length) {
    path_ = &path;
    begin_path(length);
  }

  bool is_replay() const { return path_ != nullptr; }
  bool prefers_unseen() const { return reading_ == Reading::kUnseen && path_ == nullptr; }
  const Path& taken() const { return taken_; }

  // One of the threads that can go on. The one that came last is the first of them if `same`.
  std::size_t thread(const std::vector<std::int32_t>& threads, bool same) {
    ++step_;
    if (path_ != nullptr) return next(threads.size());
    std::size_t n = 0;
    switch (scheduler_) {
      case Scheduler::kPct:
        n = by_priority(threads, same);
        break;
      case Scheduler::kSticky:
        n = same && random_.below(patience_) != 0 ? 0 : any(threads.size());
        break;
      default:
        n = any(threads.size());
        break;
    }
    return note(n, threads.size());
  }

  // One of so many writes, the newest first.
  std::size_t source(std::size_t count) {
    if (path_ != nullptr) return next(count);
    std::size_t n = 0;
    switch (reading_) {
      case Reading::kOld:
        n = random_.below(8) < staleness_ ? count - 1 : any(count);
        break;
      case Reading::kNew:
        n = random_.below(8) < staleness_ ? 0 : any(count);
        break;
      default:
        n = any(count);
        break;
    }
    return note(n, count);
  }

  // For policies: a number that is no choice by itself.
  std::size_t draw(std::size_t count) { return any(count); }
  // A write that a policy wants.
  std::size_t wanted_source(std::size_t n, std::size_t count) { return note(n, count); }

  // One of so many ways, the first of which is the plain one.
  std::size_t way(std::size_t count) { return path_ != nullptr ? next(count) : note(any(count), count); }

  // Whether a buffered write leaves now: often in some runs, seldom in others.
  bool leaves() { return (path_ != nullptr ? next(2) : note(random_.below(8) < haste_, 2)) != 0; }

  // Whether something unlikely happens.
  bool seldom() { return (path_ != nullptr ? next(2) : note(random_.below(8) == 0, 2)) != 0; }

 private:
  // A priority falls before a step of the run, or of one thread.
  struct Change {
    std::int32_t thread;  // -1: any
    std::uint32_t step;
  };

  void begin_path(Length length) {
    taken_.clear();
    if (length != Length::kAny) taken_.push_back(static_cast<std::int32_t>(length));
  }

  // How many steps the run that has ended had: where priorities of later runs change.
  void measure() {
    length_ = std::max(length_, step_);
    if (lengths_.size() < steps_.size()) lengths_.resize(steps_.size());
    for (std::size_t t = 0; t < steps_.size(); ++t) lengths_[t] = std::max(lengths_[t], steps_[t]);
    step_ = 0;
    steps_.clear();
  }

  // In half of the runs of a mix, changes are at steps of one thread, which a thread with few steps meets more often;
  // and in half of these all threads begin alike, any of them going on, so that a change holds one back.
  void begin_priorities(bool is_mix) {
    priorities_.clear();
    changes_.clear();
    bool of_threads = is_mix && !lengths_.empty() && random_.below(2) == 0;
    are_alike_ = of_threads && random_.below(2) == 0;
    std::int32_t depth = is_mix ? 1 + static_cast<std::int32_t>(random_.below(4)) : settings_.depth;
    for (std::int32_t n = are_alike_ ? 0 : 1; n < depth; ++n) {
      std::int32_t t = of_threads ? static_cast<std::int32_t>(any(lengths_.size())) : -1;
      std::uint32_t steps = t >= 0 ? lengths_[static_cast<std::size_t>(t)] : length_;
      changes_.push_back({t, 1 + random_.below(std::max(steps, 1u))});
    }
  }

  std::size_t any(std::size_t count) { return random_.below(static_cast<std::uint32_t>(count)); }

  std::size_t note(std::size_t n, std::size_t count) {
    if (count > 1 && taken_.size() < kMost) taken_.push_back(static_cast<std::int32_t>(n));
    return n;
  }

  std::size_t next(std::size_t count) {
    if (count <= 1) return 0;
    std::size_t at = taken_.size();
    std::size_t said = at < path_->size() ? static_cast<std::size_t>((*path_)[at]) : 0;
    return note(std::min(said, count - 1), count);
  }

  std::size_t by_priority(const std::vector<std::int32_t>& threads, bool same) {
    for (std::int32_t t : threads) {
      auto missing = static_cast<std::size_t>(t) + 1;
      while (priorities_.size() < missing) priorities_.push_back(are_alike_ ? 1 : 1 + (random_.draw() >> 1));
      if (steps_.size() < missing) steps_.resize(missing);
    }
    std::size_t best = highest(threads);
    std::int32_t t = threads[best];
    // A thread that goes on and on may be waiting in a way that nobody sees: it comes last then.
    same_ = same && best == 0 ? same_ + 1 : 0;
    bool changes = std::any_of(changes_.begin(), changes_.end(), [&](const Change& c) {
      return c.thread < 0 ? c.step == step_ : c.thread == t && c.step == steps_[t] + 1;
    });
    if (changes || same_ > kTooLong) {
      ++steps_[t];  // a change comes once
      priorities_[t] = --low_;
      same_ = 0;
      best = highest(threads);
      if (threads[best] == t) return best;
    }
    ++steps_[threads[best]];
    return best;
  }

  // One of the threads with the highest priority.
  std::size_t highest(const std::vector<std::int32_t>& threads) {
    std::size_t best = 0;
    std::uint32_t alike = 1;
    for (std::size_t n = 1; n < threads.size(); ++n) {
      auto order = priorities_[threads[n]] <=> priorities_[threads[best]];
      if (order > 0) alike = 1;
      if (order > 0 || (order == 0 && random_.below(++alike) == 0)) best = n;
    }
    return best;
  }

  static constexpr std::int32_t kTooLong = 1000;  // steps
  static constexpr std::size_t kMost = 1 << 20;   // choices that are remembered; a longer run is known by its seed

  const TestSettings& settings_;
  generate::Random random_;
  Scheduler scheduler_ = Scheduler::kUniform;
  Reading reading_ = Reading::kUniform;
  std::uint32_t patience_ = 8, staleness_ = 4, haste_ = 1;
  std::vector<std::int64_t> priorities_;  // thread ->
  std::vector<Change> changes_;
  bool are_alike_ = false;
  std::uint32_t step_ = 0, length_ = 16;        // steps of this run, and of the longest so far
  std::vector<std::uint32_t> steps_, lengths_;  // likewise of each thread
  std::int64_t low_ = 0;
  std::int32_t same_ = 0;
  const Path* path_ = nullptr;
  Path taken_;
};

}  // namespace porf::testing
