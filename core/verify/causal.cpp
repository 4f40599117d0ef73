// Every round starts from scratch: all edges, a topological sort, clocks.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "allowance.hpp"
#include "verify/witness.hpp"

namespace porf::verify {
namespace {

using Rows = std::vector<std::int32_t>;
using Edges = std::vector<std::pair<std::int32_t, std::int32_t>>;

enum class Po : std::uint8_t { kAll, kPreserved, kPerLocation };

class CausalChecker {
 public:
  explicit CausalChecker(const Execution& x) : x_(x), n_(x.size()), k_(x.threads), writes_(x.locations) {
    for (std::int32_t e = 0; e < n_; ++e)
      if (x.writes(e)) writes_[x.loc[e]][x.thread[e]].push_back(e);
  }

  bool run(Causal criterion) {
    if (criterion == Causal::kCcv) return converges();
    if (criterion == Causal::kCm) return views(Po::kAll).has_value();
    if (criterion == Causal::kCcm) {
      auto edges = happens_before(Po::kAll);
      return edges && store_order(*edges, {Po::kAll});
    }
    auto edges = happens_before(Po::kPreserved), near = happens_before(Po::kPerLocation);
    if (!edges || !near) return false;
    edges->insert(edges->end(), near->begin(), near->end());
    return store_order(*edges, {Po::kPreserved, Po::kPerLocation});
  }

 private:
  // Clocks name the last write of each thread that is before an event, or is it; -1 for none.
  using Clocks = Rows;

  Edges recorded(Po po) const {
    Edges edges;
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> last;
    auto step = [&](std::int32_t thread, std::int32_t kind, std::int32_t e) {
      auto found = last.find({thread, kind});
      if (found != last.end()) edges.emplace_back(found->second, e);
    };
    for (std::int32_t e = 0; e < n_; ++e) {
      std::int32_t t = x_.thread[e];
      std::int32_t kind = po == Po::kAll ? 0 : po == Po::kPerLocation ? x_.loc[e] : x_.writes(e) ? 1 : 0;
      step(t, kind, e);
      if (po == Po::kPreserved && x_.writes(e)) step(t, 0, e);
      last[{t, kind}] = e;
      if (x_.reads(e) && x_.rf[e] >= 0 && (po == Po::kAll || x_.thread[x_.rf[e]] != t)) edges.emplace_back(x_.rf[e], e);
    }
    return edges;
  }

  // None if the edges are cyclic.
  std::optional<Clocks> clocks(const Edges& edges) const {
    Rows order;
    return clocks(edges, order);
  }

  std::optional<Clocks> clocks(const Edges& edges, Rows& order) const {
    std::vector<Rows> out(n_);
    Rows incoming(n_, 0);
    Toil toil;
    for (auto [a, b] : edges) {
      toil.demand(8);
      out[a].push_back(b);
      ++incoming[b];
    }
    for (std::int32_t e = 0; e < n_; ++e)
      if (incoming[e] == 0) order.push_back(e);
    Allowance::of_thread().claim(sizeof(std::int32_t) * static_cast<std::uint64_t>(n_) *
                                 static_cast<std::uint64_t>(k_));
    Clocks clock(static_cast<std::size_t>(n_) * k_, -1);
    for (std::size_t i = 0; i < order.size(); ++i) {
      std::int32_t e = order[i];
      toil.demand(8 + out[e].size() * static_cast<std::uint64_t>(k_));
      std::int32_t* own = clock.data() + static_cast<std::size_t>(e) * k_;
      if (x_.writes(e)) own[x_.thread[e]] = std::max(own[x_.thread[e]], e);
      for (std::int32_t f : out[e]) {
        std::int32_t* its = clock.data() + static_cast<std::size_t>(f) * k_;
        for (std::int32_t t = 0; t < k_; ++t) its[t] = std::max(its[t], own[t]);
        if (--incoming[f] == 0) order.push_back(f);
      }
    }
    if (static_cast<std::int32_t>(order.size()) != n_) return std::nullopt;
    return clock;
  }

  static std::int32_t last_until(const Rows& writes, std::int32_t row) {
    auto end = std::upper_bound(writes.begin(), writes.end(), row);
    return end == writes.begin() ? -1 : *(end - 1);
  }

  // The writes before a read are before the write it reads. False if it reads the initial value.
  bool conflicts(std::int32_t r, const Clocks& clock, Edges& edges) const {
    std::int32_t w = x_.rf[r];
    for (const auto& [t, writes] : writes_[x_.loc[r]]) {
      std::int32_t v = last_until(writes, clock[static_cast<std::size_t>(r) * k_ + t]);
      if (v < 0 || v == w) continue;
      if (w < 0) return false;
      if (clock[static_cast<std::size_t>(w) * k_ + t] < v) edges.emplace_back(v, w);
    }
    return true;
  }

  bool converges() const {
    Edges edges = recorded(Po::kAll);
    auto clock = clocks(edges);
    if (!clock) return false;
    for (std::int32_t r = 0; r < n_; ++r)
      if (x_.reads(r) && !conflicts(r, *clock, edges)) return false;
    return clocks(edges).has_value();
  }

  // The causal order and the edges of all views; none if a view is cyclic.
  std::optional<Edges> views(Po po) const {
    Edges all = recorded(po);
    const Edges base = all;
    for (std::int32_t t = 0; t < k_; ++t) {
      Edges view = base;
      for (std::size_t before = 0; before != view.size();) {
        auto clock = clocks(view);
        if (!clock) return std::nullopt;
        before = view.size();
        for (std::int32_t r = 0; r < n_; ++r)
          if (x_.thread[r] == t && x_.reads(r) && !conflicts(r, *clock, view)) return std::nullopt;
      }
      all.insert(all.end(), view.begin() + static_cast<std::ptrdiff_t>(base.size()), view.end());
    }
    return all;
  }

  // All views together; notes their conflicts.
  std::optional<Edges> happens_before(Po po) {
    auto all = views(po);
    auto clock = all ? clocks(*all) : std::nullopt;
    if (!clock) return std::nullopt;
    for (std::int32_t r = 0; r < n_; ++r) {
      if (!x_.reads(r)) continue;
      bool inside = po != Po::kAll && x_.rf[r] >= 0 && x_.thread[x_.rf[r]] == x_.thread[r];
      if (!inside && !conflicts(r, *clock, conflicts_)) return std::nullopt;
    }
    return all;
  }

  bool store_order(const Edges& edges, const std::vector<Po>& axioms) const {
    auto clock = clocks(edges);
    if (!clock) return false;
    Edges order = conflicts_;
    for (std::int32_t w = 0; w < n_; ++w) {
      if (!x_.writes(w)) continue;
      for (const auto& [t, writes] : writes_[x_.loc[w]]) {
        std::int32_t until = t == x_.thread[w] ? w - 1 : (*clock)[static_cast<std::size_t>(w) * k_ + t];
        std::int32_t v = last_until(writes, until);
        if (v >= 0) order.emplace_back(v, w);
      }
    }
    Rows sorted, rank(n_);
    if (!clocks(order, sorted)) return false;
    for (std::int32_t i = 0; i < n_; ++i) rank[sorted[i]] = i;
    std::sort(order.begin(), order.end(),
              [&](const auto& a, const auto& b) { return rank[a.second] < rank[b.second]; });
    Clocks before(static_cast<std::size_t>(n_) * k_, -1);  // of each write: in the store order
    Toil toil;
    for (auto [v, w] : order) {
      toil.demand(static_cast<std::uint64_t>(k_));
      for (std::int32_t t = 0; t < k_; ++t) {
        std::int32_t& known = before[static_cast<std::size_t>(w) * k_ + t];
        known = std::max(known, before[static_cast<std::size_t>(v) * k_ + t]);
        if (t == x_.thread[v]) known = std::max(known, v);
      }
    }
    add_reads(before, order);
    for (Po po : axioms) {
      Edges axiom = recorded(po);
      axiom.insert(axiom.end(), order.begin(), order.end());
      if (!clocks(axiom)) return false;
    }
    return true;
  }

  // Each read before the first write of each thread that follows what it reads.
  void add_reads(const Clocks& before, Edges& order) const {
    for (std::int32_t r = 0; r < n_; ++r) {
      if (!x_.reads(r)) continue;
      std::int32_t w = x_.rf[r];
      for (const auto& [t, writes] : writes_[x_.loc[r]]) {
        auto v = w < 0
                     ? writes.begin()
                     : std::partition_point(
                           writes.begin(), writes.end(),
                           [&](std::int32_t u) { return before[static_cast<std::size_t>(u) * k_ + x_.thread[w]] < w; });
        if (v != writes.end()) order.emplace_back(r, *v);
      }
    }
  }

  const Execution& x_;
  std::int32_t n_, k_;
  std::vector<std::map<std::int32_t, Rows>> writes_;  // per location and thread
  Edges conflicts_;
};

}  // namespace

bool satisfies(const Execution& x, Causal criterion) { return CausalChecker(x).run(criterion); }

}  // namespace porf::verify
