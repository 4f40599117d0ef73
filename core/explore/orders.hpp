// Consistency under SC, TSO, x86, PSO and SRA, kept along the path of an exploration. Each asks for one total
// order of all events (for a modification order of each location that agrees with one); what the graph forces
// on it is kept closed, and only what that leaves open is searched for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "explore/chain_sources.hpp"
#include "explore/engine.hpp"
#include "explore/forced_order.hpp"
#include "explore/graph.hpp"

namespace porf::explore {

// Which edges of a graph the order keeps: all (SC); program order without what store buffers delay, and
// reads-from between threads (TSO, PSO; x86 is TSO that looks at orders); all, but reads say nothing of later writes
// (SRA).
enum class Kept : std::uint8_t { kSc, kTso, kX86, kPso, kSra };

template <Kept kKept, int kWords>
class Orders {
 public:
  static constexpr bool kFastCanonical = false;

  // `rank`: thread -> its place in a fixed order of threads.
  explicit Orders(const std::vector<std::uint64_t>& rank) : rank_(rank) {}

  void clear(std::int32_t level) {
    if (static_cast<std::size_t>(level) >= levels_.size()) levels_.resize(static_cast<std::size_t>(level) + 1);
    State& s = levels_[level];
    s.forced.clear();
    s.updates = Set{};
    s.count = s.base = s.reached = 0;
  }

  bool rebuild(const Graph& g, std::int32_t level, std::int32_t fresh) {
    clear(level);
    auto n = static_cast<std::int32_t>(g.arrival.size());
    for (std::int32_t i = 0; i < n - fresh; ++i) push(g, level, g.arrival[i]);
    for (std::int32_t i = n - fresh; i < n; ++i)
      if (!try_push(g, level, g.arrival[i])) return false;
    return true;
  }

  void push(const Graph& g, std::int32_t level, std::int32_t e) {
    add(g, levels_[level], e, g[e], g.predecessor(e));
    ++levels_[level].count;
  }

  bool try_push(const Graph& g, std::int32_t level, std::int32_t e) {
    State& s = levels_[level];
    bool good = add(g, s, e, g[e], g.predecessor(e));
    ++s.count;
    if (good && (!g[e].reads() || s.forced.decided() || follow(g, s))) return true;
    pop(g, level, e);
    return false;
  }

  void pop(const Graph&, std::int32_t level, std::int32_t e) {
    State& s = levels_[level];
    s.forced.remove(e);
    s.updates.reset(e);
    if (s.reached == s.count--) {
      if (s.reached-- == s.base)
        s.base = s.reached = 0;
      else
        s.whole.remove(e);
    }
  }

  void sources(const Graph& g, std::int32_t level, std::int32_t t, std::int32_t loc, std::vector<Source>& out) {
    State& s = levels_[level];
    bool updates = g.pending(t).next != Next::kLoad;  // else nobody asks what is free
    Asked asked{g, s, t, g.last[t] >= 0 ? g.last[t] : g.begun_by[t], loc, s.forced.decided()};
    Hidden read = hidden(asked, s.forced.before(), kRead), update = hidden(asked, s.forced.before(), kUpdate);
    auto offer = [&](std::int32_t w) {
      if (read(w) || !possible(asked, kRead, w)) return;
      const Set& readers = w >= 0 ? s.forced.readers(w) : s.forced.place(loc).of_initial;
      bool taken = readers.meets(s.updates);
      out.push_back({w, !updates || (!taken && !update(w) && possible(asked, kUpdate, w))});
    };
    offer(kInitial);
    Set writes = s.forced.place(loc).writes;
    writes.each(offer);
  }

  std::uint64_t orders(const Graph& g, std::int32_t level, std::vector<WriteOrder>* all) {
    Forced& forced = levels_[level].forced;
    std::uint64_t count = 0;
    forced.each_order([&] {
      ++count;
      if (all == nullptr) return;
      all->emplace_back();
      for (std::size_t x = 0; x < g.at.size(); ++x) forced.append_writes(static_cast<std::int32_t>(x), all->back());
    });
    return count;
  }

  // If program order and reads-from alone put one write of the location after all others in the cut's graph,
  // then reading that is consistent, and canonical. (In PSO, program order and the chains of updates.)
  Canonical settled(const Graph& g, std::int32_t level, const Cut& cut, std::int32_t d) {
    State& s = levels_[level];
    Set part = Set::below(d);
    part.add(s.hb[cut.a]);
    if (cut.prefix != g.porf(cut.a))  // threads that nothing tells apart
      for (std::int32_t e = d + 1; e < g.size(); ++e)
        if (g.before(e, cut.prefix)) part.set(e);
    const auto& x = s.forced.place(g[d].loc);
    Set writes = x.writes & part, accesses = x.accesses & part;
    writes.reset(cut.a);
    accesses.reset(cut.a);
    std::int32_t source = g[d].rf;
    if (source >= 0 && !writes.test(source)) return Canonical::kNo;
    if (!writes.any()) return Canonical::kYes;
    Set left = writes;
    if (g[cut.a].op != kWrite && g[cut.a].loc == g[d].loc) left.remove(s.passed[cut.a]);
    accesses.each([&](std::int32_t e) {
      left.remove(s.passed[e]);
      if (g[e].op == kUpdate && g[e].rf >= 0) left.reset(g[e].rf);
    });
    bool is_left = source >= 0 && left.test(source);
    if (left.count() == 1) return is_left ? Canonical::kYes : Canonical::kNo;
    return is_left || kKept == Kept::kPso ? Canonical::kUnknown : Canonical::kNo;
  }

  // For reads that wait, as in coherence. PSO puts writes in no order that is known from po and rf.
  using Sources = ChainSources<kWords>;

  // Where reads are in one order with all writes, there is always room for a read right after a write that comes after
  // all that the reader has done.
  bool can_be_safe(const Graph&, std::int32_t, const Pending&, std::int32_t) const
    requires(kKept != Kept::kPso)
  {
    return kKept == Kept::kSc || kTotal;
  }
  static constexpr bool kWakes = false;

  template <typename Inside>
  void gather(const Graph& g, std::int32_t, std::int32_t loc, std::int32_t before, Inside inside,
              std::int32_t only_reads, Sources& out) {
    chains_.clear();
    out.clear_for_said(before < 0);
    for (std::int32_t e = g.last_at(loc); e >= 0; e = g[e].at) {
      if (!inside(e)) continue;
      auto [chain, place] = chains_.of(g, e);
      Set seen{};
      // What a thread has seen of the location is known to its last access.
      g.each_last_of(loc, [&](std::int32_t last, std::int32_t t) {
        auto end = static_cast<std::int32_t>(g.porf(e)[t]);
        std::int32_t o = g.last_of(last, [&](std::int32_t a) { return g[a].index < end && a != e; });
        if (o >= 0) seen.set(chains_.of(g, o).chain);
      });
      seen.reset(chain);
      out.add_access(chain, seen);
      bool is_safe = before < 0 || g.before(before, g.porf(e));
      if (g[e].writes() && e != only_reads) out.add_write(e, chain, place, is_safe);
    }
  }
  void add_conflict(const Graph& g, std::int32_t, std::int32_t e, Sources& out) {
    auto [chain, place] = chains_.of(g, e);
    out.add_write(e, chain, place + 1);
  }
  std::uint64_t chain_key(const Graph& g, std::int32_t, std::int32_t, std::int32_t c) const {
    if (c == 0) return 0;
    const Event& v = g[chains_.root(c)];
    return (rank_[v.thread] << 32 | static_cast<std::uint64_t>(v.index)) + 1;
  }

  // Whether a write is the last one of its chain, and no access of another chain comes after that by program order and
  // reads-from alone. The last write of an order that is possible is one of these: of these the canonical one is the
  // first that can be read.
  bool is_tail(const Graph& g, std::int32_t loc, std::int32_t w)
    requires(kKept != Kept::kPso)
  {
    chains_.clear();
    std::int32_t chain = w < 0 ? 0 : chains_.of(g, w).chain;
    for (std::int32_t e = g.last_at(loc); e >= 0; e = g[e].at) {
      if (g[e].op == kUpdate && g[e].rf == w) return false;
      if (chains_.of(g, e).chain == chain) continue;
      if (chain == 0) return false;
      for (std::int32_t o = g.last_at(loc); o >= 0; o = g[o].at)
        if (g[o].writes() && chains_.of(g, o).chain == chain && g.before(o, g.porf(e))) return false;
    }
    return true;
  }

 private:
  using Set = Bits<kWords>;
  using Forced = ForcedOrder<kWords>;
  using Rows = typename Forced::Rows;

  static constexpr bool kTotal = kKept == Kept::kTso || kKept == Kept::kX86;  // one buffer a thread
  static constexpr bool kBuffers = kTotal || kKept == Kept::kPso;

  struct State {
    Forced forced;
    Rows hb;                           // program order and reads-from
    Rows po;                           // of models with store buffers
    std::vector<std::int32_t> strong;  // the last event so far that is not buffered; likewise,
    std::vector<std::int32_t> weak;    // the last buffered write so far, if nothing full came after it
    Rows passed;                       // the writes that an access finds overwritten, as far as `settled` looks
    Set updates{};
    // An order of all writes that is possible, for the first `reached` events that were pushed. It was found
    // for the first `base` of them, and followed from there; 0: there is none.
    Forced whole;
    std::int32_t count = 0, base = 0, reached = 0;

    void fit(std::int32_t e) {
      if (e >= 64 * kWords) throw Grow{Grow::kWrites};
      if (static_cast<std::size_t>(e) < hb.size()) return;
      std::size_t size = static_cast<std::size_t>(e + 1) * 2;
      hb.resize(size);
      passed.resize(size);
      if (!kBuffers) return;
      po.resize(size);
      strong.resize(size);
      weak.resize(size);
    }
  };

  // A thread's next event, which reads, and what is known about where it may.
  struct Asked {
    const Graph& g;
    State& s;
    std::int32_t thread, before, loc;
    bool decided;  // nothing is open
  };

  // The sources that are overwritten in an order before the event.
  struct Hidden {
    Set set{};
    bool initial = false;
    bool operator()(std::int32_t w) const { return w >= 0 ? set.test(w) : initial; }
  };

  static void take(Set& into, const Rows& rows, std::int32_t e) {
    if (e < 0) return;
    into.add(rows[e]);
    into.set(e);
  }

  static bool plain_write(const Event& v) { return v.op == kWrite; }
  // Whether later events may overtake it.
  static bool buffered(const Event& v) { return plain_write(v) && !(kKept == Kept::kX86 && v.order == kSc); }
  static bool fences(const Event& v) { return kind(v) >= kFence; }

  // What the order has before an event of this kind that comes after p in program order.
  static void take_program_order(Set& into, const Graph& g, const State& s, const Rows& rows, std::int32_t p,
                                 std::uint8_t op) {
    if (p < 0) return;
    if (!kBuffers) {
      take(into, rows, p);
      return;
    }
    take(into, rows, s.strong[p]);
    if (kTotal && op != kRead) take(into, rows, s.weak[p]);
    if (kKept == Kept::kPso && op >= kFence)
      for (std::int32_t e = p; e >= 0 && !fences(g[e]); e = g[e].prev)
        if (plain_write(g[e])) take(into, rows, e);
  }

  // What a thread whose last event is p has seen at a location, by program order alone.
  static Set seen_alone(State& s, std::int32_t p, std::int32_t loc) {
    Set out{};
    if (p < 0) return out;
    const auto& x = s.forced.place(loc);
    take(out, s.po, p);
    Set reads = out & x.accesses;
    out = out & x.writes;
    reads.remove(x.writes);
    reads.each([&](std::int32_t r) {
      if (s.forced.node(r).rf >= 0) out.set(s.forced.node(r).rf);
    });
    return out;
  }

  // The events before an event in an order, and the writes that it must find overwritten or read.
  static void prepare(const Graph& g, State& s, const Rows& rows, std::int32_t e, const Event& v, std::int32_t p,
                      Set& before, Set& passed) {
    take_program_order(before, g, s, rows, p, kind(v));
    g.each_awaited(v, [&](std::int32_t awaited) { take_program_order(before, g, s, rows, awaited, kind(v)); });
    if (v.rf >= 0 && (!kBuffers || v.op == kUpdate || g[v.rf].thread != v.thread)) take(before, rows, v.rf);
    if (kBuffers && v.loc >= 0) passed = seen_alone(s, p, v.loc);
    if (kKept == Kept::kSra && v.op == kRead) passed = s.hb[e] & s.forced.place(v.loc).writes;
    if (!plain_write(v)) return;
    passed.each([&](std::int32_t w) { take(before, rows, w); });
    passed = Set{};
  }

  // What an event is to program order: a choice, or the end of an object, waits for no buffered write, and neither do
  // the fences of C but the sc one, compiled to x86.
  static std::uint8_t kind(const Event& v) {
    bool nothing = kKept == Kept::kX86 && v.op == kFence && v.order != kSc && v.order != kNa;
    return nothing || v.op == kFreeOp || v.op == kChooseOp ? kRead : v.op;
  }

  static typename Forced::Node node(const Event& v) {
    return {v.loc, v.rf, v.writes(), v.op == kUpdate || (v.op == kRead && kKept != Kept::kSra)};
  }

  // Adds an event that comes after p in program order. False if the rules refute it; then it must go again.
  static bool add(const Graph& g, State& s, std::int32_t e, const Event& v, std::int32_t p) {
    s.fit(e);
    Set hb{};
    take(hb, s.hb, p);
    g.each_awaited(v, [&](std::int32_t awaited) { take(hb, s.hb, awaited); });
    take(hb, s.hb, v.rf);
    s.hb[e] = hb;
    if (kBuffers) {
      Set po{};
      take(po, s.po, p);
      g.each_awaited(v, [&](std::int32_t awaited) { take(po, s.po, awaited); });
      s.po[e] = po;
      s.strong[e] = !buffered(v) ? e : p >= 0 ? s.strong[p] : -1;
      s.weak[e] = buffered(v) ? e : kind(v) == kRead && p >= 0 ? s.weak[p] : -1;
    }
    if (v.loc >= 0) {
      s.passed[e] = kKept == Kept::kPso ? seen_alone(s, p, v.loc) : hb & s.forced.place(v.loc).writes;
      if (v.rf >= 0) s.passed[e].reset(v.rf);
    }
    if (v.op == kUpdate) s.updates.set(e);
    Set before{}, passed{};
    prepare(g, s, s.forced.before(), e, v, p, before, passed);
    return s.forced.insert(e, node(v), before, passed);
  }

  // Brings `whole` up to all that was pushed: new writes come last, reads where they fit, and if one does
  // not, another order is looked for. False if there is none.
  static bool follow(const Graph& g, State& s) {
    while (s.base > 0 && s.reached < s.count) {
      std::int32_t e = g.arrival[s.reached];
      Set before{}, passed{};
      prepare(g, s, s.whole.before(), e, g[e], g.predecessor(e), before, passed);
      if (plain_write(g[e]))
        s.whole.place(g[e].loc).writes.each([&](std::int32_t w) { take(before, s.whole.before(), w); });
      if (!s.whole.insert(e, node(g[e]), before, passed)) s.base = 0;
      ++s.reached;
    }
    if (s.base > 0) return true;
    bool found = s.whole.complete(s.forced);
    s.base = s.reached = found ? s.count : 0;
    return found;
  }

  static Hidden hidden(const Asked& a, const Rows& rows, std::uint8_t op) {
    const Set& writes = a.s.forced.place(a.loc).writes;
    Set seen{};
    if (kKept == Kept::kSra && op == kRead)
      take(seen, a.s.hb, a.before);
    else
      take_program_order(seen, a.g, a.s, rows, a.before, op);
    seen = seen & writes;
    if (kBuffers) seen.add(seen_alone(a.s, a.before, a.loc));
    Hidden out{{}, seen.any()};
    seen.each([&](std::int32_t w) { out.set.add(rows[w]); });
    return out;
  }

  // Whether the event may read w, which no forced order hides; an update may take it, if it is not taken.
  bool possible(Asked& a, std::uint8_t op, std::int32_t w) {
    // In SC and PSO an update is ordered as a read, and right after its source there is room for it.
    if (op == kUpdate && (kKept == Kept::kSc || kKept == Kept::kPso)) return true;
    // In SRA, reads alone leave nothing to decide: every order that keeps to what is forced will do.
    if (a.decided || (kKept == Kept::kSra && op == kRead && !a.s.updates.any())) return true;
    follow(a.g, a.s);
    if (!hidden(a, a.s.whole.before(), op)(w)) return true;
    Event v;
    v.thread = a.thread;
    v.loc = a.loc;
    v.op = op;
    v.rf = w;
    std::int32_t e = a.g.size();
    bool good = add(a.g, a.s, e, v, a.before) && a.s.forced.possible();
    a.s.forced.remove(e);
    a.s.updates.reset(e);
    return good;
  }

  const std::vector<std::uint64_t>& rank_;
  Chains<kWords> chains_;  // of the location that was gathered last
  std::vector<State> levels_;
};

}  // namespace porf::explore
