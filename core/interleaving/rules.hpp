// What the reads force on a global order, one round at a time, on vector clocks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "graph/edge_graph.hpp"
#include "graph/global_clocks.hpp"
#include "graph/write_lists.hpp"
#include "interleaving/global_order.hpp"

namespace porf::interleaving {

// Adds what the reads force, given what is known: a write before a read of w is before w; a write after w is
// after every read of w. Per thread the last such write, and the first, imply the others.
class Rules {
 public:
  Rules(const Execution& x, const Ints& index)
      : x_(x),
        index_(index),
        lists_(x),
        clocks_(x, index),
        last_before_(lists_.size(), 0),
        first_after_(lists_.size(), 0) {}

  // As far as the memory goes.
  void extend(const EdgeGraph& graph, Large<Derived>& edges, Budget& budget) {
    clocks_.compute(graph);
    Toil toil;
    for (std::int32_t r : graph.order()) {
      if (!x_.reads(r)) continue;
      toil.demand(8 * (lists_.first(x_.loc[r] + 1) - lists_.first(x_.loc[r])));
      if (!hold(edges, budget)) return;
      for (std::size_t number = lists_.first(x_.loc[r]); number < lists_.first(x_.loc[r] + 1); ++number) {
        if (x_.rf[r] >= 0) before_writer(r, number, edges);
        after_read(r, number, edges);
      }
    }
  }

  // Only brings the clocks up to date.
  void learn(const EdgeGraph& graph) { clocks_.compute(graph); }

  // Pairs of writes of one location, and those whose order is known.
  void count(Result& result) const {
    for (std::int32_t loc = 0; loc < x_.locations; ++loc) {
      std::uint64_t writes = 0;
      for (std::size_t number = lists_.first(loc); number < lists_.first(loc + 1); ++number) {
        WriteLists::List list = lists_.list(number);
        writes += list.size();
        result.ordered += list.size() * (list.size() - 1) / 2;
        for (std::size_t other = lists_.first(loc); other < lists_.first(loc + 1); ++other) {
          if (other == number) continue;
          std::int32_t t = x_.thread[lists_.list(other)[0]];
          for (std::int32_t w : list) result.ordered += count_within(lists_.list(other), clocks_.seen(w, t));
        }
      }
      result.pairs += writes == 0 ? 0 : writes * (writes - 1) / 2;
    }
  }

  const WriteLists& lists() const { return lists_; }
  // When nothing more could be added: all that is known.
  const GlobalClocks& clocks() const { return clocks_; }

 private:
  bool hold(const Large<Derived>& edges, Budget& budget) const {
    return budget.hold(GlobalClocks::bytes_for(x_) + edges.capacity() * sizeof(Derived));
  }

  void before_writer(std::int32_t r, std::size_t number, Large<Derived>& edges) {
    WriteLists::List list = lists_.list(number);
    std::int32_t w = x_.rf[r], t = x_.thread[list[0]];
    std::int32_t limit = t == x_.thread[r] ? index_[r] - 1 : clocks_.seen(r, t);
    std::size_t end = partition_near(list, last_before_[number], [&](std::int32_t u) { return index_[u] <= limit; });
    if (end == 0) return;
    std::int32_t v = list[end - 1];
    if (v == w || clocks_.before(v, w)) return;
    edges.push_back({v, w, Ground::kBefore, r});
    clocks_.note(v, w);
  }

  void after_read(std::int32_t r, std::size_t number, Large<Derived>& edges) {
    WriteLists::List list = lists_.list(number);
    std::int32_t w = x_.rf[r];
    std::size_t at = 0;
    if (w >= 0)
      at = partition_near(list, first_after_[number], [&](std::int32_t u) { return u == w || !clocks_.before(w, u); });
    if (at == list.size() || list[at] == r || clocks_.before(r, list[at])) return;
    edges.push_back({r, list[at], Ground::kAfter, r});
    clocks_.note(r, list[at]);
  }

  std::uint64_t count_within(WriteLists::List list, std::int32_t limit) const {
    auto end = std::partition_point(list.begin(), list.end(), [&](std::int32_t u) { return index_[u] <= limit; });
    return static_cast<std::uint64_t>(end - list.begin());
  }

  // std::partition_point, from where it was found last: reads come in an order of time, so it moves little.
  // Steps double until the point is between two of them.
  template <typename Before>
  static std::size_t partition_near(WriteLists::List list, std::int32_t& last, Before before) {
    std::size_t low = 0, high = list.size(), step = 1;  // all below low are before, none from high on is
    auto probe = static_cast<std::size_t>(last);
    if (probe < high && before(list[probe])) {
      for (low = probe + 1; low + step <= high && before(list[low + step - 1]); step *= 2) low += step;
      high = std::min(high, low + step);
    } else {
      for (high = probe; step <= high && !before(list[high - step]); step *= 2) high -= step;
      low = step <= high ? high - step + 1 : 0;
    }
    auto found = std::partition_point(list.begin() + static_cast<std::ptrdiff_t>(low),
                                      list.begin() + static_cast<std::ptrdiff_t>(high), before) -
                 list.begin();
    last = static_cast<std::int32_t>(found);
    return static_cast<std::size_t>(found);
  }

  const Execution& x_;
  const Ints& index_;
  WriteLists lists_;
  GlobalClocks clocks_;
  Ints last_before_, first_after_;  // per list: where the last search ended
};

}  // namespace porf::interleaving
