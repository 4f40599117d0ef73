// The choices of a run, at random or as a path says. Choice 0 is the plain one: go on with the same thread, read the
// newest write. So a short path is a plain run, and one that is made simpler is a run, too.
#pragma once

#include <algorithm>
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
    priorities_.clear();
    changes_.clear();
    depth_ = settings_.scheduler == Scheduler::kMix ? 1 + static_cast<std::int32_t>(random_.below(4)) : settings_.depth;
    if (scheduler_ == Scheduler::kPct)
      for (std::int32_t n = 1; n < depth_; ++n) changes_.push_back(1 + random_.below(length_));
    step_ = 0;
    low_ = 0;
    same_ = 0;
  }

  // A run that was made before.
  void begin(const Path& path, Length length) {
    path_ = &path;
    begin_path(length);
  }

  // So many steps had the run: where priorities of later runs change.
  void ended(std::uint64_t steps) {
    length_ = std::max<std::uint32_t>(length_, static_cast<std::uint32_t>(std::min<std::uint64_t>(steps, 1u << 30)));
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

  // Whether something unlikely happens.
  bool seldom() { return (path_ != nullptr ? next(2) : note(random_.below(8) == 0, 2)) != 0; }

 private:
  void begin_path(Length length) {
    taken_.clear();
    if (length != Length::kAny) taken_.push_back(static_cast<std::int32_t>(length));
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
    for (std::int32_t t : threads)
      while (static_cast<std::size_t>(t) >= priorities_.size()) priorities_.push_back(1 + (random_.draw() >> 1));
    auto lower = [&](std::size_t a, std::size_t b) { return priorities_[threads[a]] < priorities_[threads[b]]; };
    std::size_t best = 0;
    for (std::size_t n = 1; n < threads.size(); ++n)
      if (lower(best, n)) best = n;
    // A thread that goes on and on may be waiting in a way that nobody sees: it comes last then.
    same_ = same && best == 0 ? same_ + 1 : 0;
    bool changes = std::find(changes_.begin(), changes_.end(), step_) != changes_.end();
    if (changes || same_ > kTooLong) {
      priorities_[threads[best]] = --low_;
      same_ = 0;
      best = 0;
      for (std::size_t n = 1; n < threads.size(); ++n)
        if (lower(best, n)) best = n;
    }
    return best;
  }

  static constexpr std::int32_t kTooLong = 1000;  // steps
  static constexpr std::size_t kMost = 1 << 20;   // choices that are remembered; a longer run is known by its seed

  const TestSettings& settings_;
  generate::Random random_;
  Scheduler scheduler_ = Scheduler::kUniform;
  Reading reading_ = Reading::kUniform;
  std::uint32_t patience_ = 8, staleness_ = 4;
  std::int32_t depth_ = 1;
  std::vector<std::int64_t> priorities_;  // thread ->
  std::vector<std::uint64_t> changes_;    // steps
  std::uint64_t step_ = 0;
  std::uint32_t length_ = 16;  // steps of the longest run so far
  std::int64_t low_ = 0;
  std::int32_t same_ = 0;
  const Path* path_ = nullptr;
  Path taken_;
};

}  // namespace porf::testing
