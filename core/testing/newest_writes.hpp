// SC in a run that only goes forward, and is long: the order of all events is that in which they come, so a read takes
// the newest write. Which execution that makes is up to who comes next.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/orders.hpp"
#include "testing/clocks.hpp"

namespace porf::testing {

class NewestWrites {
 public:
  static constexpr explore::Sync kSync = explore::Sync::kNone;
  static constexpr bool kOrdersFences = false;
  static constexpr std::int32_t kMostThreads = 1 << 16;
  using Judge = explore::Orders<explore::Kept::kSc, 16>;

  void begin(const explore::Graph&) { newest_.clear(); }

  void sources(const explore::Graph&, const Clocks&, std::int32_t, std::int32_t loc,
               std::vector<explore::Source>& out) const {
    out.push_back({static_cast<std::size_t>(loc) < newest_.size() ? newest_[loc] : kInitial, true});
  }

  void take(const explore::Graph& g, const Clocks&, std::int32_t e) {
    const explore::Event& v = g[e];
    if (v.loc < 0 || !v.writes()) return;
    if (static_cast<std::size_t>(v.loc) >= newest_.size())
      newest_.resize(static_cast<std::size_t>(v.loc) + 1, kInitial);
    newest_[v.loc] = e;
  }

  void keep(const explore::Graph&, std::uint64_t, Clocks&, std::vector<char>& kept) const {
    for (std::int32_t w : newest_)
      if (w >= 0) kept[static_cast<std::size_t>(w)] = 1;
  }

  void rename(const explore::Graph&, std::uint64_t, const Clocks&, const std::vector<std::int32_t>& renamed) {
    for (std::int32_t& w : newest_)
      if (w >= 0) w = renamed[static_cast<std::size_t>(w)];
  }

 private:
  std::vector<std::int32_t> newest_;  // location -> its last write
};

}  // namespace porf::testing
