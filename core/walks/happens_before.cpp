#include "walks/happens_before.hpp"

#include <algorithm>

namespace porf::walks {
namespace {

// The accesses of each location, thread by thread.
class AccessLists {
 public:
  explicit AccessLists(const Nodes& nodes, const Ints& index) : nodes_(nodes), index_(index) {
    Ints counts(static_cast<std::size_t>(nodes.threads) + 1, 0), by_thread;
    // Two stable passes: by thread, then by location.
    for (std::int32_t e = 0; e < nodes.size(); ++e)
      if (nodes.loc[e] >= 0) ++counts[nodes.thread[e] + 1];
    for (std::int32_t t = 0; t < nodes.threads; ++t) counts[t + 1] += counts[t];
    by_thread.resize(counts.back());
    for (std::int32_t e = 0; e < nodes.size(); ++e)
      if (nodes.loc[e] >= 0) by_thread[counts[nodes.thread[e]]++] = e;
    Ints fill(static_cast<std::size_t>(nodes.locations) + 1, 0);
    for (std::int32_t e : by_thread) ++fill[nodes.loc[e] + 1];
    for (std::int32_t x = 0; x < nodes.locations; ++x) fill[x + 1] += fill[x];
    accesses_.resize(by_thread.size());
    for (std::int32_t e : by_thread) accesses_[fill[nodes.loc[e]]++] = e;
    first_.assign(static_cast<std::size_t>(nodes.locations) + 1, 0);
    for (std::size_t i = 0; i < accesses_.size();) {
      std::size_t j = i;
      while (j < accesses_.size() && same(accesses_[i], accesses_[j])) ++j;
      lists_.push_back({nodes.thread[accesses_[i]], std::span(accesses_).subspan(i, j - i)});
      ++first_[nodes.loc[accesses_[i]] + 1];
      i = j;
    }
    for (std::int32_t x = 0; x < nodes.locations; ++x) first_[x + 1] += first_[x];
  }
  AccessLists(const AccessLists&) = delete;
  AccessLists& operator=(const AccessLists&) = delete;

  // The last access of each other thread that the clock of `now` has and that of `before` has not.
  template <typename Visit>
  void each_news(std::int32_t loc, std::int32_t own, const std::int32_t* now, const std::int32_t* before,
                 Visit&& visit) const {
    for (std::int32_t i = first_[loc]; i < first_[loc + 1]; ++i) {
      const auto& [thread, list] = lists_[i];
      const std::int32_t known = before == nullptr ? 0 : before[thread];
      if (thread == own || now[thread] <= known) continue;
      auto end =
          std::partition_point(list.begin(), list.end(), [&](std::int32_t a) { return index_[a] <= now[thread]; });
      if (end != list.begin() && index_[*(end - 1)] > known) visit(*(end - 1));
    }
  }

 private:
  bool same(std::int32_t a, std::int32_t b) const {
    return nodes_.loc[a] == nodes_.loc[b] && nodes_.thread[a] == nodes_.thread[b];
  }

  const Nodes& nodes_;
  const Ints& index_;
  Ints accesses_;
  std::vector<std::pair<std::int32_t, std::span<const std::int32_t>>> lists_;
  Ints first_;  // per location
};

// Clocks that places hold while something is still to learn from them.
class Pool {
 public:
  explicit Pool(std::size_t width) : width_(width) {}

  std::int32_t take() {
    if (free_.empty()) {
      free_.push_back(static_cast<std::int32_t>(clocks_.size() / width_));
      clocks_.resize(clocks_.size() + width_);
    }
    const std::int32_t slot = free_.back();
    free_.pop_back();
    std::fill_n(at(slot), width_, 0);
    return slot;
  }
  void give(std::int32_t slot) { free_.push_back(slot); }
  std::int32_t* at(std::int32_t slot) { return clocks_.data() + static_cast<std::size_t>(slot) * width_; }
  std::uint64_t bytes() const { return clocks_.capacity() * sizeof(std::int32_t); }

 private:
  std::size_t width_;
  Ints clocks_;
  Ints free_;
};

}  // namespace

HappensBefore happens_before(const Nodes& nodes, const Automaton& automaton, const StepLists& steps, Budget& budget) {
  HappensBefore out;
  const Product product(nodes, automaton, steps, true, budget);
  if (budget.spent()) return out;
  if (!product.acyclic()) {
    out.cyclic = !product.cycles(1, budget).empty();
    out.unsuited = !out.cyclic;
    return out;
  }
  const auto k = static_cast<std::size_t>(nodes.threads);
  Ints index(nodes.size()), length(k, 0);
  std::vector<Ints> of_thread(k);
  for (std::int32_t e = 0; e < nodes.size(); ++e) {
    index[e] = ++length[nodes.thread[e]];
    of_thread[nodes.thread[e]].push_back(e);
  }
  const AccessLists lists(nodes, index);
  // The clock of the latest access of each pair of a thread and a location is kept until the next.
  Ints before_at(nodes.size(), -1);
  {
    std::vector<std::pair<std::int64_t, std::int32_t>> keyed;
    keyed.reserve(nodes.size());
    for (std::int32_t e = 0; e < nodes.size(); ++e)
      if (nodes.loc[e] >= 0)
        keyed.emplace_back(static_cast<std::int64_t>(nodes.loc[e]) * nodes.threads + nodes.thread[e], e);
    std::sort(keyed.begin(), keyed.end());
    for (std::size_t i = 1; i < keyed.size(); ++i)
      if (keyed[i].first == keyed[i - 1].first) before_at[keyed[i].second] = keyed[i - 1].second;
  }
  Pool pool(k);
  Ints slot(static_cast<std::size_t>(product.size()), -1);
  Ints kept(nodes.size(), -1);  // the clock at an event, until the thread's next access of the location
  Ints latest(k * k, 0);        // what each thread's latest event had seen, one row a thread
  for (std::int32_t v : product.order()) {
    if (!budget.spend() || !budget.hold(pool.bytes())) return out;
    const auto [e, state] = product.place(v);
    std::int32_t mine = slot[v];
    if (product.is_hub(v)) {
      if (mine < 0) mine = pool.take();
      const std::int32_t own = nodes.thread[e];
      std::int32_t* clock = pool.at(mine);
      std::int32_t* seen = latest.data() + static_cast<std::size_t>(own) * k;
      for (std::size_t t = 0; t < k; ++t) {
        if (static_cast<std::int32_t>(t) != own && clock[t] > seen[t])
          out.generating.emplace_back(of_thread[t][clock[t] - 1], e);
        seen[t] = std::max(seen[t], clock[t]);
        clock[t] = seen[t];
      }
      if (nodes.loc[e] >= 0) {
        const std::int32_t earlier = before_at[e];
        lists.each_news(nodes.loc[e], own, clock, earlier < 0 ? nullptr : pool.at(kept[earlier]),
                        [&](std::int32_t a) { out.at.emplace_back(a, e); });
        if (earlier >= 0) pool.give(kept[earlier]);
        kept[e] = pool.take();
        std::copy_n(pool.at(mine), k, pool.at(kept[e]));
      }
      pool.at(mine)[own] = std::max(pool.at(mine)[own], index[e]);
    }
    if (mine < 0) continue;
    product.each_target(v, [&](std::int32_t u) {
      if (slot[u] < 0) slot[u] = pool.take();
      const std::int32_t* from = pool.at(mine);
      std::int32_t* to = pool.at(slot[u]);
      for (std::size_t t = 0; t < k; ++t) to[t] = std::max(to[t], from[t]);
    });
    pool.give(mine);
  }
  return out;
}

}  // namespace porf::walks
