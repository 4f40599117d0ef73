// The threads of a run: which number the n-th child of a thread has, and in which order threads come.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "explore/frame.hpp"

namespace porf::explore {

class ThreadTable {
 public:
  // `most` threads, of which `starts` are there from the beginning.
  ThreadTable(std::int32_t most, std::int32_t starts) : most_(static_cast<std::size_t>(most)), rank_(most_, 0) {
    for (std::int32_t t = 0; t < starts; ++t) add({t});
  }

  // The n-th thread, from 0, that a thread starts.
  std::int32_t child(std::int32_t parent, std::int64_t n) {
    auto [it, fresh] = children_.try_emplace({parent, n}, static_cast<std::int32_t>(lines_.size()));
    if (!fresh) return it->second;
    std::int32_t child = it->second;
    if (lines_.size() >= most_) {
      children_.erase(it);
      throw Grow{Grow::kThreads};
    }
    Line line = lines_[static_cast<std::size_t>(parent)];
    line.push_back(n);
    add(std::move(line));
    return child;
  }

  // A thread comes before those that it starts, and they in the order of starting. A new thread moves others up, so a
  // rank is not to be kept; their order stays.
  const std::vector<std::uint64_t>& rank() const { return rank_; }
  const std::vector<std::int32_t>& by_rank() const { return by_rank_; }

  // A number of a thread that is the same in every process.
  std::uint64_t name(std::int32_t thread) const {
    std::uint64_t h = 1;
    for (std::int64_t n : lines_[static_cast<std::size_t>(thread)]) h = static_cast<std::uint64_t>(mixed(n, s(h)));
    return h;
  }

 private:
  using Line = std::vector<std::int64_t>;  // which start, which child of that, which child of that, ...

  static std::int64_t s(std::uint64_t value) { return static_cast<std::int64_t>(value); }

  void add(Line line) {
    auto later = [&](const Line& a, std::int32_t b) { return a < lines_[static_cast<std::size_t>(b)]; };
    by_rank_.insert(std::upper_bound(by_rank_.begin(), by_rank_.end(), line, later),
                    static_cast<std::int32_t>(lines_.size()));
    lines_.push_back(std::move(line));
    for (std::size_t n = 0; n < by_rank_.size(); ++n) rank_[static_cast<std::size_t>(by_rank_[n])] = n + 1;
  }

  std::size_t most_;
  std::vector<Line> lines_;
  std::vector<std::uint64_t> rank_;
  std::vector<std::int32_t> by_rank_;
  std::map<std::pair<std::int32_t, std::int64_t>, std::int32_t> children_;
};

}  // namespace porf::explore
