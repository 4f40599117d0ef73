// Edges of RC11's partial SC order (Lahav et al. 2017, psc) as a graph grows: those that follow from happens-before
// alone, when an SC event arrives; and those that the order of a location's chains of writes gives.
//
//   psc-base = ([SC] | scF; hb?); scb; ([SC] | hb?; scF)     scb = po | po-other; hb; po-other | hb & loc | mo | fr
//   psc-F    = scF; (hb | hb; eco; hb); scF
//
// The SC events of a thread are in program order, so of the sources of edges in a thread the last one counts, and of
// the targets the first one. An update is one event: what leads out of its read leads out of its write as well.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "explore/evaluation.hpp"
#include "explore/graph.hpp"
#include "explore/partial_sc.hpp"
#include "explore/views.hpp"

namespace porf::explore {

class ScEdges {
 public:
  void clear(std::int32_t threads) {
    order.clear(threads);
    events_.resize(static_cast<std::size_t>(threads));
    fences_.resize(static_cast<std::size_t>(threads));
    for (auto& line : events_) line.clear();
    for (auto& line : fences_) line.clear();
    for (std::int32_t loc : used_) {
      at_[loc].accesses.clear();
      at_[loc].sc_writes = 0;
      at_[loc].used = false;
    }
    used_.clear();
    fence_count_ = meetings_ = 0;
    all_.assign(static_cast<std::size_t>(threads), 0);
    fences_only_ = all_;
  }

  // Event e comes last; `hb` are the clocks of happens-before. Its edges from happens-before are in the order then.
  void insert(const Graph& g, const Views& hb, std::int32_t e, const Event& v) {
    fit(e);
    mark_[e] = order.mark();
    own_.set(g, e, v, Sync::kNone);
    node_[e] = -1;
    last_sc_[e] = v.prev >= 0 ? last_sc_[v.prev] : -1;
    last_fence_[e] = v.prev >= 0 ? last_fence_[v.prev] : -1;
    std::int32_t before = v.prev >= 0 ? shown_[v.prev] : -1;
    shown_[e] = is_hidden(v) ? before : e;
    other_[e] = before < 0 || v.loc < 0 || g[before].loc != v.loc ? before : other_[before];
    if (v.op == kJoinOp || v.op == kBarrierOp) ++meetings_;
    if (is_sc(v)) {
      std::int32_t n = order.add(e, v.thread, v.op == kFence);
      if (v.op == kFence)
        link_fence(g, hb, e, n);
      else
        link_access(g, hb, e, v, n);
      node_[e] = last_sc_[e] = n;
      if (v.op == kFence) {
        last_fence_[e] = n;
        fences_[v.thread].push_back(n);
        ++fence_count_;
      }
    }
    events_[v.thread].push_back(e);
    if (v.loc < 0) return;
    own_sc_[e] = node_[e] >= 0 ? node_[e] : v.same >= 0 ? own_sc_[v.same] : -1;
    Place& x = place(v.loc);
    x.accesses.push_back(e);
    if (is_sc(v) && v.writes()) ++x.sc_writes;
  }

  // Takes back the event that was inserted last.
  void remove(std::int32_t e, const Event& v) {
    order.undo(mark_[e]);
    events_[v.thread].pop_back();
    if (v.op == kJoinOp || v.op == kBarrierOp) --meetings_;
    if (v.loc >= 0) {
      Place& x = at_[v.loc];
      x.accesses.pop_back();
      if (is_sc(v) && v.writes()) --x.sc_writes;
    }
    if (node_[e] < 0) return;
    order.remove();
    if (v.op != kFence) return;
    fences_[v.thread].pop_back();
    --fence_count_;
  }

  // Whether the order of a location's writes can say anything about the order of SC events.
  bool matters(std::int32_t loc) const {
    return fence_count_ > 0 || (static_cast<std::size_t>(loc) < at_.size() && at_[loc].sc_writes > 0);
  }
  const std::vector<std::int32_t>& accesses(std::int32_t loc) { return place(loc).accesses; }
  // Whether an event of the graph was inserted.
  bool has(const Graph& g, std::int32_t e) const {
    return static_cast<std::size_t>(g[e].index) < events_[g[e].thread].size();
  }
  const std::vector<std::vector<std::int32_t>>& fences() const { return fences_; }
  std::int32_t fence_count() const { return fence_count_; }

  // Whether an access that comes after others in eco gives an edge: it is an SC write, or before an SC fence.
  bool is_target(const Graph& g, const Views& hb, std::int32_t y, const Event& v) const {
    if (node_[y] >= 0 && v.writes()) return true;
    if (fence_count_ == 0) return false;
    for (std::size_t t = 0; t < fences_.size(); ++t)
      if (!fences_[t].empty() && hb(g, order[fences_[t].back()].event)[v.thread] > v.index) return true;
    return false;
  }

  // Whether an SC fence is among these events.
  bool is_after_fence(const Clock* among) const {
    if (fence_count_ == 0) return false;
    for (std::size_t t = 0; t < events_.size(); ++t)
      if (last_within(last_fence_, t, among[t]) >= 0) return true;
    return false;
  }

  // Sources of edges, gathered: accesses that come before others in eco.
  void begin_sources() {
    std::fill(all_.begin(), all_.end(), Clock{0});
    std::fill(fences_only_.begin(), fences_only_.end(), Clock{0});
  }
  void add_source(const Graph& g, const Views& hb, std::int32_t x) {
    if (fence_count_ > 0) {
      const Clock* clock = hb(g, x);
      for (std::size_t t = 0; t < events_.size(); ++t) {
        std::int32_t f = last_within(last_fence_, t, clock[t]);
        if (f < 0) continue;
        auto count = static_cast<Clock>(order[f].place + 1);
        all_[t] = std::max(all_[t], count);
        fences_only_[t] = std::max(fences_only_[t], count);
      }
    }
    add_node(node_[x]);
  }
  // The same of x and all accesses of its location before it in its thread.
  void add_sources(const Graph& g, const Views& hb, std::int32_t x) {
    add_source(g, hb, x);
    add_node(own_sc_[x]);
  }
  bool any_source() const {
    return std::any_of(all_.begin(), all_.end(), [](Clock c) { return c > 0; });
  }

  // What was gathered comes before access y in eco. False if that closes a cycle.
  bool link_to(const Graph& g, const Views& hb, std::int32_t y, const Event& v) {
    const Clock* from = v.writes() ? all_.data() : fences_only_.data();
    if (v.writes() && node_[y] >= 0 && !order.link(from, node_[y])) return false;
    if (fence_count_ == 0) return true;
    for (const auto& line : fences_) {
      std::int32_t first = -1;
      for (std::size_t i = line.size(); i-- > 0 && hb(g, order[line[i]].event)[v.thread] > v.index;) first = line[i];
      if (first >= 0 && !order.link(from, first)) return false;
    }
    return true;
  }

  // The accesses of a location that may be sources of edges to an SC fence which happens-before has not given it
  // already: SC fences before an access come before that fence if the access happens before it, and so do SC events
  // that another one follows in their thread (see link_fence). They are the same for all accesses that one fence is the
  // first after.
  void begin_fence() { ++round_; }
  const std::vector<std::int32_t>& unknown(const Graph& g, std::int32_t loc, const Clock* fence) {
    Place& x = place(loc);
    if (x.round == round_) return x.unknown;
    x.round = round_;
    x.unknown.clear();
    for (std::int32_t e : x.accesses) {
      std::int32_t t = g[e].thread;
      if (!g.before(e, fence) || (node_[e] >= 0 && node_[e] == last_within(last_sc_, t, fence[t])))
        x.unknown.push_back(e);
    }
    return x.unknown;
  }

  // The accesses that the newest SC fence of a thread is the first one after.
  template <typename Visit>
  void each_news(const Graph& g, const Views& hb, std::int32_t fence, Visit visit) const {
    const auto& line = fences_[g[fence].thread];
    const Clock* now = hb(g, fence);
    const Clock* then = line.size() > 1 ? hb(g, order[line[line.size() - 2]].event) : nullptr;
    for (std::size_t t = 0; t < events_.size(); ++t)
      for (Clock i = then != nullptr ? then[t] : 0; i < now[t]; ++i)
        if (std::int32_t y = events_[t][static_cast<std::size_t>(i)]; y != fence && g[y].loc >= 0) visit(y);
  }
  // Those that were gathered come before the newest fence: as it is a write, or a read, that leads there.
  void follow_to(std::int32_t fence, bool write) {
    const std::vector<Clock>& from = write ? all_ : fences_only_;
    for (std::size_t t = 0; t < from.size(); ++t)
      if (from[t] > 0 && order.at(t, from[t] - 1) != node_[fence]) order.follow(order.at(t, from[t] - 1), node_[fence]);
  }

  PartialSc order;

 private:
  struct Place {
    std::vector<std::int32_t> accesses;
    std::vector<std::int32_t> unknown;  // of the fence of that round
    std::uint64_t round = 0;
    std::int32_t sc_writes = 0;
    bool used = false;
  };

  void add_node(std::int32_t node) {
    if (node < 0) return;
    const PartialSc::Node& n = order[node];
    all_[n.thread] = std::max(all_[n.thread], static_cast<Clock>(n.place + 1));
  }

  static bool is_sc(const Event& v) { return v.order == kSc && v.op <= kFence; }

  void fit(std::int32_t e) {
    if (static_cast<std::size_t>(e) < node_.size()) return;
    std::size_t size = static_cast<std::size_t>(e + 1) * 2;
    for (auto* line : {&node_, &own_sc_, &last_sc_, &last_fence_, &shown_, &other_}) line->resize(size);
    mark_.resize(size);
  }

  Place& place(std::int32_t loc) {
    if (static_cast<std::size_t>(loc) >= at_.size()) at_.resize(static_cast<std::size_t>(loc) + 1);
    Place& x = at_[loc];
    if (!x.used) used_.push_back(loc);
    x.used = true;
    return x;
  }

  // Of the first events of a thread, so many: what is known of the last one; -1 if there is none.
  std::int32_t last_within(const std::vector<std::int32_t>& known, std::size_t thread, std::size_t count) const {
    count = std::min(count, events_[thread].size());
    return count > 0 ? known[events_[thread][count - 1]] : -1;
  }

  // The last access of each thread at a location, other than e, that a clock counts.
  template <typename Visit>
  static void each_last_within(const Graph& g, std::int32_t loc, const Clock* clock, std::int32_t e,
                               const Visit& visit) {
    g.each_last_of(loc, [&](std::int32_t last, std::int32_t t) {
      auto end = static_cast<std::int32_t>(clock[t]);
      std::int32_t x = g.last_of(last, [&](std::int32_t o) { return o != e && g[o].index < end; });
      if (x >= 0) visit(x);
    });
  }

  void follow(std::int32_t a, std::int32_t newest) {
    if (a >= 0) order.follow(a, newest);
  }

  // An event of another thread is among these and comes after event z of thread t by program order, by a join or a
  // barrier.
  bool met(const Graph& g, std::size_t t, std::int32_t z, const Clock* among) const {
    if (meetings_ == 0) return false;
    for (std::size_t u = 0; u < events_.size(); ++u) {
      std::size_t count = std::min<std::size_t>(among[u], events_[u].size());
      if (u != t && count > 0 && own_(g, events_[u][count - 1])[t] > g[z].index) return true;
    }
    return false;
  }

  // The last SC event z of a thread with z; po-other; x, where x is among these.
  std::int32_t steps_to(const Graph& g, std::size_t t, const Clock* among) const {
    std::int32_t end = last_within(shown_, t, among[t]);
    if (end < 0 || last_sc_[end] < 0) return -1;
    std::int32_t n = last_sc_[end], z = order[n].event, other = other_[end];
    if (z != end) {
      bool same = g[z].loc >= 0 && g[z].loc == g[end].loc;
      if (!same || (other >= 0 && g[other].index > g[z].index)) return n;
    }
    if (met(g, t, z, among)) return n;
    return other >= 0 ? last_sc_[other] : -1;
  }

  // z; scb; [e], and F; hb?; scb; [e], without mo and fr.
  void link_access(const Graph& g, const Views& hb, std::int32_t e, const Event& v, std::int32_t n) {
    const Clock* po = own_(g, e);
    std::int32_t before = g.predecessor(v);
    std::int32_t y = v.prev >= 0 ? shown_[v.prev] : -1;  // the last event before e at another location
    if (y >= 0 && g[y].loc == v.loc) y = other_[y];
    if (y < 0) y = shown(g, g.begun_by[v.thread]);
    for (std::size_t t = 0; t < events_.size(); ++t) {
      follow(last_within(last_sc_, t, po[t]), n);
      if (before >= 0 && fence_count_ > 0) follow(last_within(last_fence_, t, hb(g, before)[t]), n);
      if (y >= 0 && static_cast<std::int32_t>(t) != v.thread) follow(steps_to(g, t, hb(g, y)), n);
    }
    const Clock* clock = hb(g, e);
    each_last_within(g, v.loc, clock, e, [&](std::int32_t x) {
      follow(own_sc_[x], n);
      if (fence_count_ == 0) return;
      for (std::size_t t = 0; t < events_.size(); ++t) follow(last_within(last_fence_, t, hb(g, x)[t]), n);
    });
  }

  // F; hb; [e], and z; scb; hb?; [e], without mo and fr.
  void link_fence(const Graph& g, const Views& hb, std::int32_t e, std::int32_t n) {
    const Clock* clock = hb(g, e);
    for (std::size_t t = 0; t < events_.size(); ++t) {
      follow(last_within(last_fence_, t, clock[t]), n);
      std::int32_t last = last_within(last_sc_, t, clock[t]);
      if (last < 0) continue;
      std::int32_t z = order[last].event;
      bool seen = own_(g, e)[t] > g[z].index || last_within(shown_, t, clock[t]) != z || met(g, t, z, clock) ||
                  overtaken(g, hb, z, clock);
      if (!seen) last = g[z].prev >= 0 ? last_sc_[g[z].prev] : -1;
      follow(last, n);
    }
  }

  // z; hb & loc; u, where u is among these.
  bool overtaken(const Graph& g, const Views& hb, std::int32_t z, const Clock* among) const {
    if (g[z].loc < 0) return false;
    bool found = false;
    each_last_within(g, g[z].loc, among, -1, [&](std::int32_t u) { found |= u != z && g.before(z, hb(g, u)); });
    return found;
  }

  Views own_;                                       // program order, with starts, joins and barriers
  std::vector<std::vector<std::int32_t>> events_;   // thread -> its events
  std::vector<std::vector<std::int32_t>> fences_;   // thread -> its SC fences
  std::vector<Place> at_;                           // location
  std::vector<std::int32_t> used_;                  // locations
  std::vector<std::int32_t> node_;                  // event -> its number among the SC events, or -1; likewise,
  std::vector<std::int32_t> own_sc_;                // the last one of its thread at its location that is not after it,
  std::vector<std::int32_t> last_sc_, last_fence_;  // the last one of its thread that is not after it,
  std::vector<std::int32_t> shown_;                 // the last event of its thread, not after it, that is not hidden,
  std::vector<std::int32_t> other_;                 // and the last one of those before it that has another location
  std::vector<std::size_t> mark_;
  std::int32_t fence_count_ = 0, meetings_ = 0;
  std::vector<Clock> all_, fences_only_;  // sources that were gathered
  std::uint64_t round_ = 0;               // number of SC fences that were linked
};

}  // namespace porf::explore
