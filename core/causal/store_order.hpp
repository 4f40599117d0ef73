// The partial store order: what happens-before and conflicts say of the writes of one location, closed within
// the location.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "budget.hpp"
#include "causal/edges.hpp"
#include "graph/global_clocks.hpp"
#include "graph/write_lists.hpp"
#include "memory.hpp"

namespace porf::causal {

// The writes that others conflict into, grouped by target.
struct Incoming {
  Large<std::size_t> start;
  Ints from;

  Incoming(std::int32_t nodes, const Large<Edge>& edges) : start(static_cast<std::size_t>(nodes) + 1, 0) {
    auto each = [&](auto&& visit) {
      for (const Edge& edge : edges)
        if (edge.kind == Kind::kCf && edge.to >= 0) visit(edge);
    };
    each([&](const Edge& edge) { ++start[edge.to + 1]; });
    for (std::int32_t e = 0; e < nodes; ++e) start[e + 1] += start[e];
    from.resize(start[nodes]);
    Large<std::size_t> fill(start.begin(), start.end() - 1);
    each([&](const Edge& edge) { from[fill[edge.to]++] = edge.from; });
  }
};

class StoreOrder {
 public:
  // From the last writes to the first: each hands what comes after it to those just before it. `clocks` are those of
  // happens-before; `conflicts` the cf edges (others are passed over); `order` a topological order of both together.
  StoreOrder(const Execution& x, const WriteLists& lists, const Ints& index, const GlobalClocks& clocks,
             const Large<Edge>& conflicts, const Ints& order, Budget& budget)
      : list_(x.size(), 0), place_(x.size(), 0), start_(static_cast<std::size_t>(x.size()) + 1, 0) {
    for (std::int32_t loc = 0; loc < x.locations; ++loc) {
      auto of = lists.of(loc);
      for (std::size_t i = 0; i < of.size(); ++i) {
        for (std::size_t j = 0; j < of[i].size(); ++j) {
          list_[of[i][j]] = static_cast<std::int32_t>(i);
          place_[of[i][j]] = static_cast<std::int32_t>(j);
        }
      }
    }
    for (std::int32_t e = 0; e < x.size(); ++e)
      start_[e + 1] = start_[e] + (x.writes(e) ? lists.of(x.loc[e]).size() : 0);
    after_.resize(start_[x.size()]);
    for (std::int32_t w : lists.writes()) {
      auto of = lists.of(x.loc[w]);
      for (std::size_t i = 0; i < of.size(); ++i) after_[start_[w] + i] = static_cast<std::int32_t>(of[i].size());
    }
    Incoming incoming(x.size(), conflicts);
    for (auto e = order.rbegin(); e != order.rend() && budget.spend(); ++e) {
      if (!x.writes(*e)) continue;
      auto of = lists.of(x.loc[*e]);
      WriteLists::List own = of[list_[*e]];
      std::int32_t previous = place_[*e] > 0 ? own[place_[*e] - 1] : -1;
      if (previous >= 0) precede(previous, *e);
      for (WriteLists::List list : of) {
        if (list.data() == own.data()) continue;
        std::int32_t v = WriteLists::last_within(list, clocks.seen(*e, x.thread[list[0]]), index);
        if (v >= 0 && (previous < 0 || !clocks.before(v, previous))) precede(v, *e);
      }
      for (std::size_t i = incoming.start[*e]; i < incoming.start[*e + 1]; ++i) precede(incoming.from[i], *e);
    }
  }

  static std::uint64_t bytes_for(const Execution& x) { return GlobalClocks::bytes_for(x); }

  // Per list of the write's location, the place of its first write after this one; the list's size if none is.
  std::span<const std::int32_t> after(std::int32_t write) const {
    return std::span(after_).subspan(start_[write], start_[write + 1] - start_[write]);
  }

 private:
  void precede(std::int32_t before, std::int32_t write) {
    std::int32_t* mine = after_.data() + start_[before];
    const std::int32_t* its = after_.data() + start_[write];
    std::size_t lists = start_[write + 1] - start_[write];
    for (std::size_t i = 0; i < lists; ++i) mine[i] = std::min(mine[i], its[i]);
    mine[list_[write]] = std::min(mine[list_[write]], place_[write]);
  }

  Ints list_, place_;         // per write: its list, numbered within the location, and where it is in it
  Large<std::size_t> start_;  // per event: into after_
  Ints after_;
};

inline Pairs all_pairs(const Execution& x, const WriteLists& lists) {
  Pairs pairs;
  for (std::int32_t loc = 0; loc < x.locations; ++loc) {
    std::uint64_t writes = 0;
    for (WriteLists::List list : lists.of(loc)) writes += list.size();
    pairs.all += writes * (writes - (writes > 0 ? 1 : 0)) / 2;
  }
  return pairs;
}

inline Pairs count_pairs(const Execution& x, const WriteLists& lists, const StoreOrder& order) {
  Pairs pairs = all_pairs(x, lists);
  for (std::int32_t w : lists.writes()) {
    auto of = lists.of(x.loc[w]);
    auto after = order.after(w);
    for (std::size_t i = 0; i < of.size(); ++i) pairs.ordered += of[i].size() - static_cast<std::size_t>(after[i]);
  }
  return pairs;
}

// Of the order that the clocks tell.
inline Pairs count_pairs(const Execution& x, const WriteLists& lists, const Ints& index, const GlobalClocks& clocks) {
  Pairs pairs = all_pairs(x, lists);
  for (std::int32_t w : lists.writes()) {
    for (WriteLists::List list : lists.of(x.loc[w])) {
      std::int32_t limit = clocks.seen(w, x.thread[list[0]]);
      if (x.thread[list[0]] == x.thread[w]) limit = index[w] - 1;
      auto end = std::partition_point(list.begin(), list.end(), [&](std::int32_t v) { return index[v] <= limit; });
      pairs.ordered += static_cast<std::uint64_t>(end - list.begin());
    }
  }
  return pairs;
}

}  // namespace porf::causal
