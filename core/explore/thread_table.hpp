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
  ThreadTable(std::int32_t most, std::int32_t starts) : rank_(static_cast<std::size_t>(most), 0) {
    for (std::int32_t t = 0; t < starts; ++t) {
      rank_[static_cast<std::size_t>(t)] = static_cast<std::uint64_t>(t + 1) << (3 * kDepthBits);
      by_rank_.push_back(t);
    }
  }

  // The n-th thread, from 0, that a thread starts.
  std::int32_t child(std::int32_t parent, std::int64_t n) {
    auto [it, fresh] = children_.try_emplace({parent, n}, static_cast<std::int32_t>(by_rank_.size()));
    if (!fresh) return it->second;
    std::int32_t child = it->second;
    std::uint64_t above = rank_[static_cast<std::size_t>(parent)];
    int depth = 0;  // free places below the parent's own
    while (depth < 3 && (above >> (depth * kDepthBits) & ((1u << kDepthBits) - 1)) == 0) ++depth;
    if (static_cast<std::size_t>(child) >= rank_.size() || depth == 0 || n + 1 >= 1 << kDepthBits) {
      children_.erase(it);
      throw Grow{Grow::kThreads};
    }
    rank_[static_cast<std::size_t>(child)] = above + (static_cast<std::uint64_t>(n + 1) << ((depth - 1) * kDepthBits));
    by_rank_.insert(std::upper_bound(by_rank_.begin(), by_rank_.end(), child,
                                     [&](std::int32_t a, std::int32_t b) { return rank_[a] < rank_[b]; }),
                    child);
    return child;
  }

  // A thread comes before those that it starts, and they in the order of starting.
  const std::vector<std::uint64_t>& rank() const { return rank_; }
  const std::vector<std::int32_t>& by_rank() const { return by_rank_; }

 private:
  static constexpr int kDepthBits = 12;  // of a rank: children of one thread

  std::vector<std::uint64_t> rank_;
  std::vector<std::int32_t> by_rank_;
  std::map<std::pair<std::int32_t, std::int64_t>, std::int32_t> children_;
};

}  // namespace porf::explore
