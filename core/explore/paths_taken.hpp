// The paths of saved relations that a compiled model file speaks of: from where they lead to an event. They are
// followed back from there, sets of events at a time, and only where a relation leads to some event at all.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "explore/bits.hpp"
#include "explore/linear.hpp"
#include "explore/saved_columns.hpp"

namespace porf::explore {

template <int kWords>
class PathsTaken {
 public:
  using Set = Bits<kWords>;
  using Nodes = SavedColumns<kWords>;

  // From where all walks of a table lead to node n.
  Set all(const Nodes& nodes, const PathTable& table, std::int32_t n) {
    Set out = take(nodes, table, table.last, n, -1);
    if (table.empty) out.set(n);
    return out;
  }
  // Likewise, but only what is at the location of n is told for certain.
  Set at_place(const Nodes& nodes, const PathTable& table, std::int32_t n) {
    Set out = take(nodes, table, table.last, n, nodes[n].loc);
    if (table.empty) out.set(n);
    return out;
  }
  // Where edges begin that come to a step by the modification order at node n.
  Set begins(const Nodes& nodes, const PathTable& table, const OrderAxiom::Term& term, std::int32_t n) {
    Set out = take(nodes, table, term.before, n, -1);
    if (term.begins) out.set(n);
    return out;
  }

 private:
  Set take(const Nodes& nodes, const PathTable& table, std::uint64_t last, std::int32_t n, std::int32_t loc) {
    Set out;
    std::uint64_t waiting = 0;
    for (std::uint64_t rest = last; rest != 0; rest &= rest - 1) {
      const int p = std::countr_zero(rest);
      if (!nodes.leads_to(table.positions[p].slot).test(n)) continue;
      waiting |= std::uint64_t{1} << p;
      waiting_[p] = Set{};
      waiting_[p].set(n);
    }
    if (waiting == 0) return out;
    for (std::size_t p = 0; p < table.positions.size(); ++p) seen_[p] = Set{};
    while (waiting != 0) {
      const int p = 63 - std::countl_zero(waiting);  // the last, as walks mostly come from those before
      waiting &= ~(std::uint64_t{1} << p);
      const PathTable::Position& position = table.positions[p];
      Set from;
      waiting_[p].each([&](std::int32_t k) { from.add(nodes.column(position.slot, k)); });
      if (position.starts) out.add(from);
      if (position.before == 0) continue;
      if (position.local && loc >= 0) from = from & nodes.of_loc(loc);
      for (std::uint64_t rest = position.before; rest != 0; rest &= rest - 1) {
        const int q = std::countr_zero(rest);
        Set news = from & nodes.leads_to(table.positions[q].slot);
        news.remove(seen_[q]);
        if (!news.any()) continue;
        seen_[q].add(news);
        if (waiting >> q & 1)
          waiting_[q].add(news);
        else
          waiting_[q] = news;
        waiting |= std::uint64_t{1} << q;
      }
    }
    return out;
  }

  std::array<Set, kMostLetters> waiting_, seen_;  // position -> nodes
};

}  // namespace porf::explore
