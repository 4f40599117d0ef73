#include "walks/write_chains.hpp"

#include <algorithm>
#include <limits>
#include <queue>

namespace porf::walks {

namespace {

constexpr std::int32_t kUnset = -3;

}  // namespace

WriteChains::WriteChains(const Nodes& nodes)
    : nodes_(nodes),
      chain_(nodes.size(), kUnset),
      position_(nodes.size(), 0),
      next_(nodes.size(), -1),
      initial_next_(nodes.locations, -1) {
  for (std::int32_t w = 0; w < nodes.size(); ++w) {
    if (!nodes.writes[w] || nodes.follows[w] == kNone) continue;
    std::int32_t& next = nodes.follows[w] < 0 ? initial_next_[nodes.loc[w]] : next_[nodes.follows[w]];
    broken_ |= next >= 0;
    next = w;
  }
  auto run = [&](std::int32_t w, std::int32_t chain, std::int32_t position) {
    std::int32_t last = w;
    for (; w >= 0; w = next_[w]) {
      chain_[w] = chain;
      position_[w] = position++;
      last = w;
    }
    return last;
  };
  if (broken_) return;
  for (std::int32_t w = 0; w < nodes.size(); ++w)
    if (nodes.writes[w] && nodes.follows[w] == kNone) {
      const auto chain = static_cast<std::int32_t>(top_.size());
      top_.push_back(w);
      last_.push_back(run(w, chain, 0));
    }
  for (std::int32_t x = 0; x < nodes.locations; ++x) run(initial_next_[x], size() + x, 1);
  // What is in no chain is in a circle.
  for (std::int32_t w = 0; w < nodes.size(); ++w) broken_ |= nodes.writes[w] && chain_[w] == kUnset;
}

bool WriteChains::keep(std::int32_t a, std::int32_t b) {
  const std::int32_t loc = nodes_.loc[b];
  const std::int32_t from = nodes_.writes[a] ? a : nodes_.rf[a], to = nodes_.writes[b] ? b : nodes_.rf[b];
  const std::int32_t one = chain_of(from, loc), other = chain_of(to, loc);
  if (one == other) {
    const bool strictly = nodes_.writes[b] && from == to;  // a reads b, which comes after it
    return position(from) <= position(to) && !strictly;
  }
  if (initial(other)) return false;
  if (initial(one)) return true;
  bool fresh = false;
  return force(one, other, fresh);
}

bool WriteChains::force(std::int32_t before, std::int32_t after, bool& fresh) {
  fresh = known_.insert(key(before, after)).second;
  if (fresh) forced_.emplace_back(before, after);
  return before != after && !knows(after, before);
}

bool WriteChains::possible() const { return EdgeGraph(size(), forced_).acyclic(); }

bool WriteChains::sort(const Ints& keys, std::span<const EdgeGraph::Edge> besides, Ints& order, Ints& cycle) const {
  Large<EdgeGraph::Edge> edges = forced_;
  edges.insert(edges.end(), besides.begin(), besides.end());
  Ints waiting(top_.size(), 0);
  const Steps onward(size(), edges);
  for (auto [from, to] : edges) ++waiting[to];
  using Entry = std::pair<std::int32_t, std::int32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  for (std::int32_t c = 0; c < size(); ++c)
    if (waiting[c] == 0) ready.emplace(keys[c], c);
  order.clear();
  while (!ready.empty()) {
    const std::int32_t c = ready.top().second;
    ready.pop();
    order.push_back(c);
    for (std::int32_t d : onward.from(c))
      if (--waiting[d] == 0) ready.emplace(keys[d], d);
  }
  if (order.size() == top_.size()) return true;
  cycle = EdgeGraph(size(), std::move(edges)).short_cycle();
  return false;
}

template <typename Visit>
void WriteChains::each_write(std::int32_t chain, Visit&& visit) const {
  for (std::int32_t w = initial(chain) ? initial_next_[chain - size()] : top_[chain]; w >= 0; w = next_[w]) visit(w);
}

Large<EdgeGraph::Edge> WriteChains::neighbours(const Ints& order) const {
  Large<EdgeGraph::Edge> pairs;
  Ints last(nodes_.locations, -1);
  for (std::int32_t c : order) {
    std::int32_t& before = last[location(c)];
    if (before >= 0) pairs.emplace_back(before, c);
    before = c;
  }
  return pairs;
}

void WriteChains::list(const Ints& order, Ints& writes, Large<std::int64_t>& start) const {
  start.assign(static_cast<std::size_t>(nodes_.locations) + 1, 0);
  for (std::int32_t w = 0; w < nodes_.size(); ++w)
    if (nodes_.writes[w]) ++start[nodes_.loc[w] + 1];
  for (std::int32_t x = 0; x < nodes_.locations; ++x) start[x + 1] += start[x];
  writes.resize(static_cast<std::size_t>(start.back()));
  Large<std::int64_t> fill(start.begin(), start.end() - 1);
  for (std::int32_t x = 0; x < nodes_.locations; ++x)
    each_write(size() + x, [&](std::int32_t w) { writes[fill[x]++] = w; });
  for (std::int32_t c : order) each_write(c, [&](std::int32_t w) { writes[fill[location(c)]++] = w; });
}

void WriteChains::steps(const Ints& order, std::span<const EdgeGraph::Edge> pairs, bool across,
                        StepLists& lists) const {
  // Per chain, those that come next; an initial chain is followed by those that follow no other.
  std::vector<Ints> after(static_cast<std::size_t>(size() + nodes_.locations));
  Large<std::uint8_t> follows(top_.size(), 0);
  for (auto [from, to] : pairs) {
    after[from].push_back(to);
    follows[to] = 1;
  }
  for (std::int32_t c : order)
    if (!follows[c]) after[size() + location(c)].push_back(c);
  auto each_next = [&](std::int32_t w, std::int32_t loc, auto&& visit) {
    const std::int32_t next = w < 0 ? initial_next_[loc] : next_[w];
    if (next >= 0) return visit(next);
    for (std::int32_t c : after[chain_of(w, loc)]) visit(top_[c]);
  };
  Large<EdgeGraph::Edge> mo, fr;
  for (std::int32_t e = 0; e < nodes_.size(); ++e) {
    if (nodes_.writes[e]) each_next(e, nodes_.loc[e], [&](std::int32_t w) { mo.emplace_back(e, w); });
    if (nodes_.rf[e] == kNone) continue;
    each_next(nodes_.rf[e], nodes_.loc[e], [&](std::int32_t w) {
      // An update that is one event: nothing is from-read before itself.
      if (w != e)
        fr.emplace_back(e, w);
      else
        each_next(e, nodes_.loc[e], [&](std::int32_t v) { fr.emplace_back(e, v); });
    });
  }
  lists[kMo] = Steps(nodes_.size(), mo);
  lists[kFr] = Steps(nodes_.size(), fr);
  if (across) across_threads(order, after, lists);
}

// For each write and each other thread, that thread's first write after it: a step, and the thread's own later writes
// follow. Of each chain it is known which writes of which threads come first in it and after it, per thread.
void WriteChains::across_threads(const Ints& order, const std::vector<Ints>& after, StepLists& lists) const {
  using Firsts = std::vector<std::pair<std::int32_t, std::int32_t>>;  // thread, its first write; by thread
  auto add = [&](Firsts& firsts, std::int32_t w) {
    const std::int32_t t = nodes_.thread[w];
    auto at = std::lower_bound(firsts.begin(), firsts.end(), std::pair(t, std::numeric_limits<std::int32_t>::min()));
    if (at != firsts.end() && at->first == t)
      at->second = std::min(at->second, w);
    else
      firsts.insert(at, {t, w});
  };
  Large<EdgeGraph::Edge> moe, fre;
  std::vector<Firsts> within(after.size());  // a chain and what comes after it
  // Readers of a write, so that both kinds of step are made while what follows is at hand.
  Large<EdgeGraph::Edge> reads;
  std::vector<Ints> initial_readers(nodes_.locations);
  for (std::int32_t e = 0; e < nodes_.size(); ++e) {
    if (nodes_.rf[e] >= 0)
      reads.emplace_back(nodes_.rf[e], e);
    else if (nodes_.rf[e] != kNone)
      initial_readers[nodes_.loc[e]].push_back(e);
  }
  const Steps readers(nodes_.size(), reads);
  auto lead = [&](std::int32_t e, const Firsts& firsts, Large<EdgeGraph::Edge>& out) {
    for (auto [t, w] : firsts)
      if (t != nodes_.thread[e]) out.emplace_back(e, w);
  };
  auto visit = [&](std::int32_t chain) {
    Firsts now;
    for (std::int32_t next : after[chain])
      for (auto [t, w] : within[next]) add(now, w);
    Ints writes;
    each_write(chain, [&](std::int32_t w) { writes.push_back(w); });
    for (std::size_t i = writes.size(); i-- > 0;) {
      const std::int32_t w = writes[i];
      lead(w, now, moe);
      for (std::int32_t r : readers.from(w)) lead(r, now, fre);
      add(now, w);
    }
    if (initial(chain))
      for (std::int32_t r : initial_readers[chain - size()]) lead(r, now, fre);
    within[chain] = std::move(now);
  };
  for (std::size_t i = order.size(); i-- > 0;) visit(order[i]);
  for (std::int32_t x = 0; x < nodes_.locations; ++x) visit(size() + x);
  lists[kMoe] = Steps(nodes_.size(), moe);
  lists[kFre] = Steps(nodes_.size(), fre);
}

}  // namespace porf::walks
