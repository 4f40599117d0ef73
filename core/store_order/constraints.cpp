// Bit rows over the writes, along the graphs and by what the reads force.
#include "store_order/constraints.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace porf::store_order {

using relations::for_each_bit;
using relations::set;
using relations::test;

Constraints::Constraints(const Execution& x, const std::vector<Graph>& graphs, bool forced, Budget& budget)
    : x_(x), budget_(budget) {
  if (!budget.hold(bytes_for(x, graphs.size())) || !budget.spend(x.size())) return;
  if (!sort(graphs)) {
    impossible_ = true;
    return;
  }
  if (!budget.spend(x.size())) return;
  number_writes();
  if (!find_updaters()) {
    impossible_ = true;
    return;
  }
  for (bool again = true; again && !impossible_ && !budget_.spent();) {
    again = false;
    for (Sorted& graph : graphs_) again |= walk(graph);
    again |= apply_initial_readers();
    if (!forced) break;
    again |= apply_readers();
    again |= close();
  }
  for (Sorted& graph : graphs_) graph.past = {};
}

std::uint64_t Constraints::bytes_for(const Execution& x, std::size_t graphs) {
  std::uint64_t writes = 0;
  for (std::int32_t e = 0; e < x.size(); ++e) writes += x.writes(e) ? 1 : 0;
  std::uint64_t row = (writes + 63) / 64 * 8 + 8;
  return row * (graphs * static_cast<std::uint64_t>(x.size()) + 2 * writes + x.locations);
}

bool Constraints::sort(const std::vector<Graph>& graphs) {
  for (const Graph& graph : graphs) {
    EdgeGraph edges(x_.size(), graph.edges);
    if (!edges.acyclic()) return false;
    if (!graph.ordered) continue;
    Sorted sorted;
    sorted.order = edges.order();
    sorted.start.assign(static_cast<std::size_t>(x_.size()) + 1, 0);
    for (const EdgeGraph::Edge& edge : graph.edges) ++sorted.start[edge.second + 1];
    for (std::int32_t e = 0; e < x_.size(); ++e) sorted.start[e + 1] += sorted.start[e];
    sorted.sources.resize(graph.edges.size());
    Large<std::size_t> fill(sorted.start.begin(), sorted.start.end() - 1);
    for (const EdgeGraph::Edge& edge : graph.edges) sorted.sources[fill[edge.second]++] = edge.first;
    graphs_.push_back(std::move(sorted));
  }
  return true;
}

void Constraints::number_writes() {
  for (std::int32_t e = 0; e < x_.size(); ++e)
    if (x_.writes(e)) writes_.push_back(e);
  std::stable_sort(writes_.begin(), writes_.end(),
                   [&](std::int32_t a, std::int32_t b) { return x_.loc[a] < x_.loc[b]; });
  number_.assign(x_.size(), -1);
  first_.assign(static_cast<std::size_t>(x_.locations) + 1, 0);
  for (std::int32_t w = 0; w < size(); ++w) {
    number_[writes_[w]] = w;
    ++first_[x_.loc[writes_[w]] + 1];
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  words_ = std::max<std::size_t>(1, (writes_.size() + 63) / 64);
  before_.assign(writes_.size() * words_, 0);
  readers_.assign(writes_.size() * words_, 0);
  initial_readers_.assign(static_cast<std::size_t>(x_.locations) * words_, 0);
  for (Sorted& graph : graphs_) graph.past.assign(static_cast<std::size_t>(x_.size()) * words_, 0);
}

// No two updates read one write: each would have to come right after it.
bool Constraints::find_updaters() {
  updater_.assign(writes_.size(), -1);
  initial_updater_.assign(x_.locations, -1);
  for (std::int32_t e = 0; e < x_.size(); ++e) {
    if (x_.op[e] != kUpdate || x_.rf[e] < kInitial) continue;
    std::int32_t& place = x_.rf[e] < 0 ? initial_updater_[x_.loc[e]] : updater_[number_[x_.rf[e]]];
    if (place >= 0 || x_.rf[e] == e) return false;
    place = number_[e];
  }
  return true;
}

// Adds bits; whether any was new.
bool Constraints::add(Word* to, const Word* from) {
  Word fresh = 0;
  for (std::size_t i = 0; i < words_; ++i) {
    fresh |= from[i] & ~to[i];
    to[i] |= from[i];
  }
  return fresh != 0;
}

bool Constraints::walk(Sorted& graph) {
  bool changed = false;
  for (std::int32_t e : graph.order) {
    Word* past = row(graph.past, e);
    for (std::size_t i = graph.start[e]; i < graph.start[e + 1]; ++i) {
      std::int32_t source = graph.sources[i];
      changed |= add(past, row(graph.past, source));
      if (number_[source] >= 0) set(past, number_[source]);
    }
    if (!budget_.spend(1 + words_ / 64)) return false;
    std::int32_t w = number_[e];
    if (w >= 0) {
      changed |= add(past, before(w));
      changed |= add(row(before_, w), past);
    }
    if (!x_.reads(e) || x_.rf[e] < kInitial) continue;
    Word* readers = x_.rf[e] < 0 ? row(initial_readers_, x_.loc[e]) : row(readers_, number_[x_.rf[e]]);
    changed |= add(readers, past);
  }
  return changed;
}

bool Constraints::apply_initial_readers() {
  bool changed = false;
  for (std::int32_t loc = 0; loc < x_.locations; ++loc) {
    for (std::int32_t v = first_[loc]; v < first_[loc + 1]; ++v) {
      changed |= add(row(before_, v), row(initial_readers_, loc));
      std::int32_t u = initial_updater_[loc];
      if (u < 0 || u == v || test(before(v), u)) continue;
      set(row(before_, v), u);
      changed = true;
    }
  }
  return changed;
}

bool Constraints::apply_readers() {
  bool changed = false;
  Ints chosen;
  for (std::int32_t loc = 0; loc < x_.locations; ++loc) {
    std::int32_t from = first_[loc], to = first_[loc + 1];
    for (std::int32_t w = from; w < to; ++w) {
      const Word* readers = this->readers(w);
      // Writes of the location before a reader of w are before w.
      for (std::int32_t i = from / 64; i <= (to - 1) / 64; ++i) {
        Word inside = ~Word{0};
        if (i == from / 64) inside &= ~Word{0} << (from % 64);
        if (i == (to - 1) / 64 && to % 64 != 0) inside &= (Word{1} << (to % 64)) - 1;
        if (i == w / 64) inside &= ~(Word{1} << (w % 64));
        Word fresh = readers[i] & inside & ~before(w)[i];
        row(before_, w)[i] |= fresh;
        changed |= fresh != 0;
      }
      // Writes after w are after its readers. The first ones pass it on to those behind them.
      chosen.clear();
      for (std::int32_t v = from; v < to; ++v) {
        if (v == w || !test(before(v), w)) continue;
        if (std::any_of(chosen.begin(), chosen.end(), [&](std::int32_t c) { return test(before(v), c); })) continue;
        chosen.push_back(v);
        changed |= add(row(before_, v), readers);
        std::int32_t u = updater_[w];
        if (u < 0 || u == v || test(before(v), u)) continue;
        set(row(before_, v), u);
        changed = true;
      }
      if (!budget_.spend(1 + static_cast<std::uint64_t>(to - from) / 64)) return false;
    }
  }
  return changed;
}

bool Constraints::close() {
  // A write with fewer before it stands earlier, nearly always: one round then does most.
  Ints count(writes_.size(), 0), order(writes_.size());
  std::iota(order.begin(), order.end(), 0);
  for (std::int32_t w = 0; w < size(); ++w)
    for (std::size_t i = 0; i < words_; ++i) count[w] += std::popcount(before(w)[i]);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return count[a] < count[b]; });
  bool changed = false;
  std::vector<Word> covered(words_);
  for (std::int32_t w : order) {
    std::fill(covered.begin(), covered.end(), Word{0});
    Word* mine = row(before_, w);
    for (std::size_t i = words_; i-- > 0;) {
      for (Word rest = mine[i] & ~covered[i]; rest != 0; rest = mine[i] & ~covered[i]) {
        auto a = static_cast<std::int32_t>(i * 64) + std::countr_zero(rest);
        set(covered.data(), a);
        for (std::size_t j = 0; j < words_; ++j) covered[j] |= before(a)[j];
        changed |= add(mine, before(a));
      }
    }
    if (test(mine, w)) impossible_ = true;
    if (!budget_.spend(1 + words_ / 64)) return false;
  }
  return changed;
}

std::uint64_t Constraints::pairs() const {
  std::uint64_t total = 0;
  for (std::int32_t loc = 0; loc < x_.locations; ++loc) {
    auto writes = static_cast<std::uint64_t>(first_[loc + 1] - first_[loc]);
    total += writes == 0 ? 0 : writes * (writes - 1) / 2;
  }
  return total;
}

std::uint64_t Constraints::ordered_pairs() const {
  std::uint64_t total = 0;
  for (std::int32_t w = 0; w < size(); ++w)
    for (std::int32_t v = first_[location(w)]; v < first_[location(w) + 1]; ++v) total += test(before(w), v);
  return total;
}

Large<EdgeGraph::Edge> Constraints::nearest_pairs() const {
  Large<EdgeGraph::Edge> pairs;
  for (std::int32_t w = 0; w < size(); ++w) {
    std::int32_t from = first_[location(w)], to = first_[location(w) + 1];
    for (std::int32_t v = from; v < to; ++v) {
      if (v == w || !test(before(w), v)) continue;
      bool between = false;
      for (std::int32_t u = from; u < to && !between; ++u)
        between = u != v && u != w && test(before(w), u) && test(before(u), v);
      if (!between) pairs.emplace_back(writes_[v], writes_[w]);
    }
  }
  return pairs;
}

}  // namespace porf::store_order
