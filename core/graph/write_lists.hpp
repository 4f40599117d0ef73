// The writes of each location, thread by thread, in program order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "allowance.hpp"
#include "execution.hpp"
#include "memory.hpp"

namespace porf {

class WriteLists {
 public:
  // One thread's writes of one location, first to last.
  using List = std::span<const std::int32_t>;

  explicit WriteLists(const Execution& x) : first_(static_cast<std::size_t>(x.locations) + 1, 0) {
    Toil toil;
    for (std::int32_t e = 0; e < x.size(); ++e)
      if (x.writes(e)) writes_.push_back(e);
    std::stable_sort(writes_.begin(), writes_.end(), [&](std::int32_t a, std::int32_t b) {
      toil.demand();
      return std::pair(x.loc[a], x.thread[a]) < std::pair(x.loc[b], x.thread[b]);
    });
    for (std::size_t i = 0; i < writes_.size();) {
      std::size_t j = i;
      while (j < writes_.size() && x.loc[writes_[i]] == x.loc[writes_[j]] &&
             x.thread[writes_[i]] == x.thread[writes_[j]])
        ++j;
      lists_.push_back(List(writes_.data() + i, j - i));
      ++first_[x.loc[writes_[i]] + 1];
      i = j;
    }
    for (std::int32_t loc = 0; loc < x.locations; ++loc) first_[loc + 1] += first_[loc];
  }
  WriteLists(const WriteLists&) = delete;
  WriteLists& operator=(const WriteLists&) = delete;

  const Ints& writes() const { return writes_; }
  std::span<const List> of(std::int32_t loc) const {
    return std::span(lists_).subspan(first_[loc], first_[loc + 1] - first_[loc]);
  }

  // The lists by number: those of a location from first(loc) to first(loc + 1).
  std::size_t first(std::int32_t loc) const { return first_[loc]; }
  List list(std::size_t number) const { return lists_[number]; }
  std::size_t size() const { return lists_.size(); }

  // The last write of a list whose place in its thread is at most `limit`, or -1.
  static std::int32_t last_within(List list, std::int32_t limit, const Ints& index) {
    auto end = std::partition_point(list.begin(), list.end(), [&](std::int32_t w) { return index[w] <= limit; });
    return end == list.begin() ? -1 : *(end - 1);
  }

 private:
  Ints writes_;
  Large<List> lists_;  // into writes_
  Large<std::size_t> first_;
};

}  // namespace porf
