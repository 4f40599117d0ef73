// Consistency under RC11 and C++20 in full, kept along the path of an exploration: coherence as for programs without SC
// events, and the partial SC order over the SC events. What is forced on the modification order is an order of chains;
// its edges are in the SC order at once. Two chains that nothing orders are left open unless both give edges: then an
// order is searched for, the one that was found last first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "budget.hpp"
#include "explore/coherence.hpp"
#include "explore/explore.hpp"
#include "explore/runner.hpp"
#include "explore/sc_edges.hpp"
#include "relations/engine.hpp"

namespace porf::explore {

template <Sync kSync, int kWords>
class Rc11 : private Coherence<kSync, false, kWords> {
  using Base = Coherence<kSync, false, kWords>;
  using typename Base::Set;
  using typename Base::State;

 public:
  static constexpr bool kFastCanonical = false;
  static constexpr bool kWakes = false;

  using Base::add_conflict;
  using Base::chain_key;
  using Base::gather;
  using Base::gather_only;
  using typename Base::Sources;

  // Throws relations::Spent when the budget ends in the middle of a search.
  Rc11(const Runner& runner, const Settings&, Budget& budget) : Base(runner.rank()), runner_(runner), budget_(budget) {}

  void clear(std::int32_t level) {
    Base::clear(level);
    if (static_cast<std::size_t>(level) >= sc_.size()) sc_.resize(static_cast<std::size_t>(level) + 1);
    sc_[level].edges.clear(runner_.threads());
    sc_[level].contested.clear();
  }

  bool rebuild(const Graph& g, std::int32_t level, std::int32_t fresh) {
    clear(level);
    auto n = static_cast<std::int32_t>(g.arrival.size());
    for (std::int32_t i = 0; i < n - fresh; ++i) push(g, level, g.arrival[i]);
    for (std::int32_t i = n - fresh; i < n; ++i)
      if (!try_push(g, level, g.arrival[i])) return false;
    return true;
  }

  void push(const Graph& g, std::int32_t level, std::int32_t e) { insert({g, level, *this}, e); }

  bool try_push(const Graph& g, std::int32_t level, std::int32_t e) {
    if (!Base::admits(g, level, e)) return false;
    At here{g, level, *this};
    if (insert(here, e) && (!g[e].reads() || possible(here))) return true;
    remove(here, e);
    return false;
  }

  void pop(const Graph& g, std::int32_t level, std::int32_t e) { remove({g, level, *this}, e); }

  void sources(const Graph& g, std::int32_t level, std::int32_t t, std::int32_t loc, std::vector<Source>& out) {
    std::size_t first = out.size();
    Base::sources(g, level, t, loc, out);
    // The last write of a witness is always there to be read, and nothing comes after it.
    if (out.size() == first + 1 || !sc_[level].edges.matters(loc)) return;
    At here{g, level, *this};
    std::size_t kept = first;
    for (std::size_t i = first; i < out.size(); ++i)
      if (may_read(here, t, loc, out[i])) out[kept++] = out[i];
    out.resize(kept);
  }

  // The chains that happens-before makes last are the same in every witness, and one of them comes last. One that gives
  // no edges can come last in any case: of such chains the first counts. If there is none, the first that can be read
  // counts; and what d reads it can.
  Canonical settled(const Graph& g, std::int32_t level, const Cut& cut, std::int32_t d) {
    const State& s = this->levels_[level];
    const Event& v = g[d];
    auto inside = [&](std::int32_t e) { return e < d || g.before(e, cut.prefix); };
    if (v.rf >= 0 && (v.rf == cut.a || !inside(v.rf))) return Canonical::kNo;
    std::int32_t c = Base::source_chain(s, v), p = v.rf >= 0 ? s.pos[v.rf] : 0;
    Set followed{}, present{}, targets{};
    bool overwritten = false;
    Base::each_last(g, cut, d, [&](std::int32_t e) {
      followed.add(s.seen[e]);
      present.set(s.chain[e]);
      std::int32_t last = e != cut.a ? s.pos[e] : g[e].rf >= 0 ? s.pos[g[e].rf] : 0;
      overwritten |= s.chain[e] == c && last > p;
    });
    if (overwritten || followed.test(c)) return Canonical::kNo;
    present.reset(0);
    if (c == 0) return present == Set{} ? Canonical::kYes : Canonical::kNo;
    present.remove(followed);
    Base::each_last(g, cut, d, [&](std::int32_t last) {
      std::int32_t chain = s.chain[last];
      for (std::int32_t e = last; e >= 0 && s.chain[e] == chain && present.test(chain); e = g[e].same) {
        if (targets.test(chain)) return;
        if (is_target(g, level, e, e == cut.a ? static_cast<std::uint8_t>(kRead) : g[e].op, inside)) targets.set(chain);
      }
    });
    bool quiet = !targets.contains(present);
    if (quiet) present.remove(targets);
    if (!present.test(c)) return Canonical::kNo;
    if (comes_first(g, s, v.loc, present, c)) return quiet || !v.conflict ? Canonical::kYes : Canonical::kUnknown;
    return quiet ? Canonical::kNo : Canonical::kUnknown;
  }

  // A read that is no SC event, and comes after no SC fence, gives the SC order no edges; so what coherence lets it
  // read it may read.
  bool can_be_safe(const Graph& g, std::int32_t level, const Pending& p, std::int32_t before) const {
    if (p.order == kSc || (p.next == Next::kCas && p.failure == kSc)) return false;
    return before < 0 || !sc_[level].edges.is_after_fence(this->levels_[level].views(g, before));
  }

  // In a graph in which that was not to be seen: whether the thread's next event has no source before w.
  bool first_source(const Graph& g, std::int32_t level, std::int32_t t, std::int32_t loc, std::int32_t w) {
    const State& s = this->levels_[level];
    At here{g, level, *this};
    Set followed{};
    followed.set(0);
    for (std::int32_t e : sc_[level].edges.accesses(loc)) followed.add(s.seen[e]);
    std::vector<Source> tails;
    std::uint64_t own = key_of(g, s, w);
    for (std::int32_t e : sc_[level].edges.accesses(loc)) {
      if (!g[e].writes() || followed.test(s.chain[e]) || s.at(loc, s.chain[e]).tail != s.pos[e]) continue;
      if (e == w || key_of(g, s, e) < own) tails.push_back({e, true});
    }
    bool found = false;
    for (Source& tail : tails) {
      bool free = may_read(here, t, loc, tail) && tail.free;
      if (free && tail.write != w) return false;
      found |= free;
    }
    return found;
  }

  // Locations that give no edges, each by itself; of the others every order that is possible.
  std::uint64_t orders(const Graph& g, std::int32_t level, std::vector<WriteOrder>* all) {
    At here{g, level, *this};
    State& s = here.s;
    std::uint64_t free_orders = 1, found = 0;
    std::vector<std::int32_t> open;
    for (std::size_t x = 0; x < g.at.size(); ++x) {
      auto loc = static_cast<std::int32_t>(x);
      if (g.at[x] < 0) continue;
      if (all != nullptr || sc_[level].edges.matters(loc))
        open.push_back(loc);
      else
        free_orders *= Base::extensions(s, loc);
    }
    each_order(here, open, 0, [&] {
      ++found;
      if (all == nullptr) return;
      all->emplace_back();
      for (std::int32_t loc : open) append_writes(here, loc, all->back());
    });
    return found * free_orders;
  }

 private:
  // A graph and what is known of it.
  struct At {
    At(const Graph& graph, std::int32_t level, Rc11& engine)
        : g(graph), s(engine.levels_[level]), sc(engine.sc_[level].edges), contested(engine.sc_[level].contested) {}
    const Graph& g;
    State& s;
    ScEdges& sc;
    std::vector<std::int32_t>& contested;
    const Event* newest = nullptr;  // if it is no part of the graph

    const Event& operator[](std::int32_t e) const { return e < g.size() ? g[e] : *newest; }
  };

  struct Level {
    ScEdges edges;
    std::vector<std::int32_t> contested;  // locations with two chains and more
  };

  std::uint64_t key_of(const Graph& g, const State& s, std::int32_t w) const {
    return Base::key(g, s.at(g[w].loc, s.chain[w]).first);
  }

  bool comes_first(const Graph& g, const State& s, std::int32_t loc, const Set& chains, std::int32_t c) const {
    std::uint64_t own = Base::key(g, s.at(loc, c).first);
    bool first = true;
    chains.each([&](std::int32_t other) { first &= Base::key(g, s.at(loc, other).first) >= own; });
    return first;
  }

  // Whether an access gives edges in a part of a graph: an SC write, or before an SC fence there.
  template <typename Inside>
  bool is_target(const Graph& g, std::int32_t level, std::int32_t y, std::uint8_t op, const Inside& inside) const {
    const ScEdges& sc = sc_[level].edges;
    if (op != kRead && g[y].order == kSc) return true;
    if (sc.fence_count() == 0) return false;
    for (const auto& line : sc.fences())
      for (std::size_t i = line.size(); i-- > 0;) {
        std::int32_t f = sc.order[line[i]].event;
        if (!g.before(y, this->levels_[level].views(g, f))) break;
        if (inside(f)) return true;
      }
    return false;
  }

  // x comes before y in eco, two accesses of a location, as far as that is forced.
  static bool precedes(const At& here, std::int32_t x, std::int32_t y) {
    const State& s = here.s;
    std::int32_t a = s.chain[x], b = s.chain[y];
    if (a != b) return a == 0 || (b != 0 && s.at(here[x].loc, a).after.test(b));
    return s.pos[x] < s.pos[y] || (s.pos[x] == s.pos[y] && here[x].writes() && !here[y].writes());
  }

  // False if the event closes a cycle; it is inserted nevertheless.
  bool insert(const At& here, std::int32_t e) {
    const Event& v = here[e];
    Base::insert(here.g, here.s, e, v);
    if (v.op == kWrite && here.s.count[v.loc] == 3 && Base::begins(here.s, e, v)) here.contested.push_back(v.loc);
    here.sc.insert(here.g, here.s.views, e, v);
    if (v.op == kFence && v.order == kSc) link_fence(here, e);
    return v.loc < 0 || !here.sc.matters(v.loc) || (link_access(here, e) && link_news(here, v.loc, here.s.mark[e]));
  }

  void remove(const At& here, std::int32_t e) {
    const Event& v = here[e];
    if (v.op == kWrite && here.s.count[v.loc] == 3 && Base::begins(here.s, e, v)) here.contested.pop_back();
    here.sc.remove(e, v);
    Base::remove(here.s, e, v);
  }

  // What comes before accesses that a new SC fence is the first one after.
  void link_fence(const At& here, std::int32_t fence) {
    ScEdges& sc = here.sc;
    if (sc.order.size() == 1) return;
    const Views& hb = here.s.views;
    const Clock* now = hb(here.g, fence);
    sc.begin_fence();
    sc.each_news(here.g, hb, fence, [&](std::int32_t y) {
      const std::vector<std::int32_t>& unknown = sc.unknown(here.g, here[y].loc, now);
      if (unknown.empty()) return;
      sc.begin_sources();
      for (std::int32_t x : unknown)
        if (x != y && precedes(here, x, y)) sc.add_source(here.g, hb, x);
      sc.follow_to(fence, here[y].writes());
    });
  }

  // What a new access comes before, and an SC write comes after.
  bool link_access(const At& here, std::int32_t e) {
    ScEdges& sc = here.sc;
    const Event& v = here[e];
    const Views& hb = here.s.views;
    sc.begin_sources();
    sc.add_source(here.g, hb, e);
    if (sc.any_source() && !is_latest(here, e))
      for (std::int32_t y : sc.accesses(v.loc))
        if (y != e && precedes(here, e, y) && !sc.link_to(here.g, hb, y, here[y])) return false;
    if (!v.writes() || v.order != kSc) return true;
    sc.begin_sources();
    each_last_before(here, e, [&](std::int32_t x) { sc.add_sources(here.g, hb, x); });
    return sc.link_to(here.g, hb, e, v);
  }

  // The last access of each thread that comes before access e in eco.
  template <typename Visit>
  static void each_last_before(const At& here, std::int32_t e, const Visit& visit) {
    here.g.each_last_of(here[e].loc, [&](std::int32_t last, std::int32_t) {
      std::int32_t x = here.g.last_of(
          last, [&](std::int32_t o) { return o != e && here.sc.has(here.g, o) && precedes(here, o, e); });
      if (x >= 0) visit(x);
    });
  }

  // Whether all other accesses of its location happen before an access: then none comes after it in eco.
  static bool is_latest(const At& here, std::int32_t e) {
    const Clock* clock = here.s.views(here.g, e);
    bool latest = true;
    here.g.each_last_of(here[e].loc,
                        [&](std::int32_t o, std::int32_t) { latest &= o == e || here.g.before(o, clock); });
    return latest;
  }

  // Pairs of chains that were put in order since then.
  bool link_news(const At& here, std::int32_t loc, std::size_t mark) {
    for (std::size_t i = mark; i < here.s.trail.size(); ++i) {
      std::int32_t chain = here.s.trail[i].chain;
      Set news = here.s.at(loc, chain).after;
      news.remove(here.s.trail[i].after);
      if (!link_chains(here, loc, chain, news)) return false;
    }
    return true;
  }

  bool link_chains(const At& here, std::int32_t loc, std::int32_t chain, const Set& later) {
    ScEdges& sc = here.sc;
    const Views& hb = here.s.views;
    sc.begin_sources();
    for (std::int32_t x : sc.accesses(loc))
      if (here.s.chain[x] == chain) sc.add_source(here.g, hb, x);
    if (!sc.any_source()) return true;
    for (std::int32_t y : sc.accesses(loc))
      if (later.test(here.s.chain[y]) && !sc.link_to(here.g, hb, y, here[y])) return false;
    return true;
  }

  // Whether the thread's next event may read from a source that coherence allows.
  bool may_read(const At& here, std::int32_t t, std::int32_t loc, Source& source) {
    const Pending& p = here.g.pending(t);
    std::int64_t value = runner_.value(here.g, loc, source.write), written = 0;
    bool writes = Machine::modify(p, value, written);
    Event v;
    v.thread = t;
    v.prev = here.g.last[t];
    v.index = v.prev >= 0 ? here.g[v.prev].index + 1 : 0;
    v.loc = loc;
    v.rf = source.write;
    v.order = p.order;
    v.op = kUpdate;
    if (writes && source.free && fits(here, v)) return true;
    if (writes) source.free = false;
    v.op = kRead;
    if (p.next == Next::kCas && !writes) v.order = p.failure;
    return fits(here, v);
  }

  bool fits(At here, const Event& v) {
    std::int32_t e = here.g.size();
    here.newest = &v;
    bool good = insert(here, e) && possible(here);
    remove(here, e);
    return good;
  }

  // Whether the chains that give edges can be put in order.
  bool possible(const At& here) { return here.contested.empty() || search(here, 0); }

  // The chains of a location that give edges.
  Set targets(const At& here, std::int32_t loc) const {
    Set set{};
    for (std::int32_t y : here.sc.accesses(loc))
      if (!set.test(here.s.chain[y]) && here.sc.is_target(here.g, here.s.views, y, here[y])) set.set(here.s.chain[y]);
    set.reset(0);
    return set;
  }

  bool search(const At& here, std::size_t from) {
    for (; from < here.contested.size(); ++from) {
      std::int32_t loc = here.contested[from], a = -1, b = -1;
      if (!here.sc.matters(loc) || !unordered(here.s, loc, targets(here, loc), a, b)) continue;
      if (!budget_.spend(1)) throw relations::Spent{};
      if (rank(here.s, loc, b) < rank(here.s, loc, a)) std::swap(a, b);
      return with_order(here, loc, a, b, [&] { return search(here, from); }) ||
             with_order(here, loc, b, a, [&] { return search(here, from); });
    }
    return true;
  }

  static std::int32_t rank(const State& s, std::int32_t loc, std::int32_t c) { return s.at(loc, c).first; }

  // The first two of some chains that are in no order.
  static bool unordered(const State& s, std::int32_t loc, const Set& chains, std::int32_t& a, std::int32_t& b) {
    bool found = false;
    chains.each([&](std::int32_t x) {
      if (found) return;
      Set rest = chains;
      rest.remove(s.at(loc, x).after);
      rest.each([&](std::int32_t y) {
        if (found || y <= x || s.at(loc, y).after.test(x)) return;
        found = true;
        a = x;
        b = y;
      });
    });
    return found;
  }

  // What a visit says with chain a before chain b; false if that closes a cycle.
  template <typename Visit>
  bool with_order(const At& here, std::int32_t loc, std::int32_t a, std::int32_t b, const Visit& visit) {
    std::size_t chains = here.s.trail.size(), edges = here.sc.order.mark();
    Set first{};
    first.set(a);
    this->order(here.s, loc, first, b);
    bool good = (!here.sc.matters(loc) || link_news(here, loc, chains)) && visit();
    here.sc.order.undo(edges);
    Base::undo(here.s, chains);
    return good;
  }

  template <typename Visit>
  void each_order(const At& here, const std::vector<std::int32_t>& open, std::size_t from, const Visit& visit) {
    for (; from < open.size(); ++from) {
      Set chains = Set::below(here.s.count[open[from]]);
      chains.reset(0);
      std::int32_t a = -1, b = -1;
      if (!unordered(here.s, open[from], chains, a, b)) continue;
      auto go_on = [&] { return each_order(here, open, from, visit), true; };
      with_order(here, open[from], a, b, go_on);
      with_order(here, open[from], b, a, go_on);
      return;
    }
    visit();
  }

  // The writes of a location whose chains are in one order, in that order.
  void append_writes(const At& here, std::int32_t loc, WriteOrder& out) const {
    auto begin = static_cast<std::ptrdiff_t>(out.size());
    for (std::int32_t e : here.sc.accesses(loc))
      if (here.g[e].writes()) out.push_back(e);
    std::sort(out.begin() + begin, out.end(),
              [&](std::int32_t a, std::int32_t b) { return a != b && precedes(here, a, b); });
  }

  const Runner& runner_;
  Budget& budget_;
  std::vector<Level> sc_;
};

}  // namespace porf::explore
