// How far each thread's writes of each location have run in a search, and whether a write may run before all
// that are left.
#pragma once

#include <cstdint>

#include "graph/global_clocks.hpp"
#include "graph/write_lists.hpp"
#include "memory.hpp"

namespace porf {

class WriteProgress {
 public:
  WriteProgress(const Execution& x, const WriteLists& lists, const GlobalClocks& clocks)
      : x_(x), lists_(lists), clocks_(clocks), list_of_(x.size(), -1), run_(lists.size(), 0) {
    for (std::size_t number = 0; number < lists.size(); ++number)
      for (std::int32_t w : lists.list(number)) list_of_[w] = static_cast<std::int32_t>(number);
  }

  void run(std::int32_t write) { ++run_[list_of_[write]]; }
  void undo(std::int32_t write) { --run_[list_of_[write]]; }

  bool certainly_before(std::int32_t write, std::int32_t other) const { return clocks_.before(write, other); }

  // Whether all other writes of its location that have not run come after this one in the global order anyway.
  bool is_next(std::int32_t write) const {
    for (std::size_t number = lists_.first(x_.loc[write]); number < lists_.first(x_.loc[write] + 1); ++number) {
      WriteLists::List list = lists_.list(number);
      auto run = static_cast<std::size_t>(run_[number]);
      if (run < list.size() && list[run] != write && !clocks_.before(write, list[run])) return false;
    }
    return true;
  }

 private:
  const Execution& x_;
  const WriteLists& lists_;
  const GlobalClocks& clocks_;
  Ints list_of_;  // per write
  Ints run_;      // per list: how many of its writes have run
};

}  // namespace porf
