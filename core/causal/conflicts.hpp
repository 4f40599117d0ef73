// What one read says of the writes of its location: those before it are before the one it reads.
#pragma once

#include <cstdint>

#include "causal/edges.hpp"
#include "graph/global_clocks.hpp"
#include "graph/write_lists.hpp"

namespace porf::causal {

// Adds edges from the last write of each thread before the read, as the clocks know it, unless they know of
// the edge too; earlier writes follow. False if the read takes the initial value: then the one edge added
// leads to what nothing may come before.
inline bool add_conflicts(const Execution& x, const WriteLists& lists, const Ints& index, GlobalClocks& clocks,
                          std::int32_t read, Kind kind, Keeps keeps, Large<Edge>& edges) {
  std::int32_t w = x.rf[read];
  for (WriteLists::List list : lists.of(x.loc[read])) {
    std::int32_t v = WriteLists::last_within(list, clocks.seen(read, x.thread[list[0]]), index);
    if (v < 0 || v == w) continue;
    if (w < 0) {
      edges.push_back({v, ~x.loc[read], kind, keeps, read});
      return false;
    }
    if (clocks.before(v, w)) continue;
    edges.push_back({v, w, kind, keeps, read});
    clocks.note(v, w);
  }
  return true;
}

}  // namespace porf::causal
