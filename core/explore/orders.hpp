// Consistency under SC, TSO, x86, PSO and SRA, kept along the path of an exploration. Each asks for one total
// order of all events (for a modification order of each location that agrees with one); what the graph forces
// on it is kept closed, and only what that leaves open is searched for. Accesses of settled locations take no part:
// what a graph costs is what its races cost.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "explore/chain_sources.hpp"
#include "explore/engine.hpp"
#include "explore/forced_order.hpp"
#include "explore/graph.hpp"
#include "explore/settled.hpp"

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
    if (kSettles) s.settled.clear();
    s.updates = Set{};
    s.nodes = s.count = s.base = s.reached = 0;
  }

  bool rebuild(const Graph& g, std::int32_t level, std::int32_t fresh) {
    clear(level);
    auto n = static_cast<std::int32_t>(g.arrival.size());
    for (std::int32_t i = 0; i < n - fresh; ++i) push(g, level, g.arrival[i]);
    for (std::int32_t i = n - fresh; i < n; ++i)
      if (!try_push(g, level, g.arrival[i])) return false;
    return true;
  }

  void push(const Graph& g, std::int32_t level, std::int32_t e) { arrive(g, levels_[level], e); }

  bool try_push(const Graph& g, std::int32_t level, std::int32_t e) {
    State& s = levels_[level];
    bool good = arrive(g, s, e);
    if (good && (!g[e].reads() || s.at[e].node < 0 || s.forced.decided() || follow(g, s))) return true;
    pop(g, level, e);
    return false;
  }

  void pop(const Graph& g, std::int32_t level, std::int32_t e) { leave(g, levels_[level], e); }

  void sources(const Graph& g, std::int32_t level, std::int32_t t, std::int32_t loc, std::vector<Source>& out) {
    State& s = levels_[level];
    std::int32_t before = g.last[t] >= 0 ? g.last[t] : g.begun_by[t];
    if (!s.contested(loc)) {
      if (s.settled.has_one_source(g, loc, t, before)) {
        out.push_back({s.settled.source(loc), true});
        return;
      }
      contest(g, s, loc);
    }
    bool updates = g.pending(t).next != Next::kLoad;  // else nobody asks what is free
    Asked asked{g, s, t, before, loc, s.forced.decided()};
    Hidden read = hidden(asked, s.forced.before(), kRead), update = hidden(asked, s.forced.before(), kUpdate);
    auto offer = [&](std::int32_t w) {
      if (read(w) || !possible(asked, kRead, w)) return;
      const Set& readers = w >= 0 ? s.forced.readers(w) : s.forced.place(loc).of_initial;
      bool taken = readers.meets(s.updates);
      out.push_back(
          {w >= 0 ? s.event[w] : s.initial(loc), !updates || (!taken && !update(w) && possible(asked, kUpdate, w))});
    };
    auto first = static_cast<std::ptrdiff_t>(out.size());
    offer(kInitial);
    Set writes = s.forced.place(loc).writes;
    writes.each(offer);
    if (kSettles)
      std::sort(out.begin() + first, out.end(), [](const Source& a, const Source& b) { return a.write < b.write; });
  }

  std::uint64_t orders(const Graph& g, std::int32_t level, std::vector<WriteOrder>* all) {
    State& s = levels_[level];
    std::uint64_t count = 0;
    s.forced.each_order([&] {
      ++count;
      if (all == nullptr) return;
      all->emplace_back();
      for (std::size_t x = 0; x < g.at.size(); ++x) append_writes(g, s, static_cast<std::int32_t>(x), all->back());
    });
    return count;
  }

  // If program order and reads-from alone put one write of the location after all others in the cut's graph,
  // then reading that is consistent, and canonical. (In PSO, program order and the chains of updates.)
  Canonical settled(const Graph& g, std::int32_t level, const Cut& cut, std::int32_t d) {
    State& s = levels_[level];
    if (!s.races(d)) return Canonical::kYes;  // it had no choice
    const auto& x = s.forced.place(g[d].loc);
    Set accesses{};
    x.accesses.each([&](std::int32_t n) {
      std::int32_t e = s.event[n];
      if (e != cut.a && (e < d || g.before(e, cut.prefix))) accesses.set(n);
    });
    Set writes = x.writes & accesses;
    std::int32_t source = s.node_of(g[d].rf);
    if (source >= 0 && !writes.test(source)) return Canonical::kNo;
    if (!writes.any()) return Canonical::kYes;
    Set left = writes;
    if (g[cut.a].op != kWrite && g[cut.a].loc == g[d].loc) left.remove(s.passed[s.at[cut.a].node]);
    accesses.each([&](std::int32_t n) {
      left.remove(s.passed[n]);
      const typename Forced::Node& node = s.forced.node(n);
      if (node.writes && node.rf >= 0) left.reset(node.rf);
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
  bool gather_only(const Graph& g, std::int32_t level, std::int32_t thread, std::int32_t before, Sources& out) const {
    const State& s = levels_[level];
    std::int32_t loc = g.pending(thread).loc;
    if (s.contested(loc) || !s.settled.has_one_source(g, loc, thread, before)) return false;
    out.clear_for_said(before < 0);
    if (std::int32_t w = s.settled.source(loc); w >= 0)
      out.add_write(w, 1, 0, before < 0 || g.before(before, g.porf(w)));
    return true;
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
    std::int32_t root = chain == 0 ? kInitial : chains_.root(chain);  // it comes before all of its chain
    for (std::int32_t e = g.last_at(loc); e >= 0; e = g[e].at) {
      if (g[e].op == kUpdate && g[e].rf == w) return false;
      bool is_after = root < 0 || g.before(root, g.porf(e));
      if (is_after && chains_.of(g, e).chain != chain) return false;
    }
    return true;
  }

 private:
  using Set = Bits<kWords>;
  using Forced = ForcedOrder<kWords>;
  using Rows = typename Forced::Rows;

  static constexpr bool kTotal = kKept == Kept::kTso || kKept == Kept::kX86;  // one buffer a thread
  static constexpr bool kBuffers = kTotal || kKept == Kept::kPso;
  static constexpr bool kSettles = kWords > 1;  // in a short graph all events are nodes, which costs less than to tell

  // Where an event is among the nodes of the order, which are events that races depend on; -1: nowhere.
  struct Spot {
    std::int32_t node = -1;    // itself
    std::int32_t top = -1;     // the last one by program order, not after it,
    std::int32_t strong = -1;  // the last one so far that is not buffered, in models with store buffers; likewise,
    std::int32_t weak = -1;    // the last buffered write so far, if nothing full came after it
  };

  struct State {
    Forced forced;
    Settled settled;
    std::vector<Spot> at;             // event
    std::vector<std::int32_t> event;  // node
    std::int32_t nodes = 0;
    Rows hb;      // program order and reads-from
    Rows po;      // of models with store buffers
    Rows passed;  // the writes that an access finds overwritten, as far as `settled` looks
    Set updates{};
    // An order of all writes that is possible, for the first `reached` events that were pushed. It was found
    // for the first `base` of them, and followed from there; 0: there is none.
    Forced whole;
    std::int32_t count = 0, base = 0, reached = 0;

    std::int32_t node_of(std::int32_t e) const { return e >= 0 ? at[e].node : e; }
    bool contested(std::int32_t loc) const { return kSettles ? settled.is_contested(loc) : loc >= 0; }
    // What stands for the initial value of a location that is contested.
    std::int32_t initial(std::int32_t loc) const { return kSettles ? settled.source(loc) : kInitial; }
    // Whether it is an access of a contested location.
    bool races(std::int32_t e) const { return at[e].node >= 0 && forced.node(at[e].node).loc >= 0; }

    void fit(std::int32_t e) {
      if (static_cast<std::size_t>(e) >= at.size()) at.resize(static_cast<std::size_t>(e + 1) * 2);
    }
    void fit_node(std::int32_t n) {
      if (n >= 64 * kWords) throw Grow{Grow::kWrites};
      if (static_cast<std::size_t>(n) < hb.size()) return;
      std::size_t size = static_cast<std::size_t>(n + 1) * 2;
      event.resize(size);
      hb.resize(size);
      passed.resize(size);
      if (kBuffers) po.resize(size);
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

  static void take(Set& into, const Rows& rows, std::int32_t n) {
    if (n < 0) return;
    into.add(rows[n]);
    into.set(n);
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
      take(into, rows, s.at[p].top);
      return;
    }
    take(into, rows, s.at[p].strong);
    if (kTotal && op != kRead) take(into, rows, s.at[p].weak);
    if (kKept == Kept::kPso && op >= kFence) each_unfenced(g, s, p, [&](std::int32_t n) { take(into, rows, n); });
  }

  // PSO: the writes up to event p of a thread that no fence has come after.
  template <typename Visit>
  static void each_unfenced(const Graph& g, const State& s, std::int32_t p, const Visit& visit) {
    for (std::int32_t e = p; e >= 0 && !fences(g[e]); e = g[e].prev)
      if (plain_write(g[e]) && s.at[e].node >= 0) visit(s.at[e].node);
  }

  // What a thread whose last event is p has seen at a location, by program order alone.
  static Set seen_alone(State& s, std::int32_t p, std::int32_t loc) {
    Set out{};
    if (p < 0) return out;
    const auto& x = s.forced.place(loc);
    take(out, s.po, s.at[p].top);
    Set reads = out & x.accesses;
    out = out & x.writes;
    reads.remove(x.writes);
    reads.each([&](std::int32_t r) {
      if (s.forced.node(r).rf >= 0) out.set(s.forced.node(r).rf);
    });
    return out;
  }

  // The events before a new node in an order, and the writes that it must find overwritten or read.
  static void prepare(const Graph& g, State& s, const Rows& rows, std::int32_t n, const typename Forced::Node& node,
                      const Event& v, std::int32_t p, Set& before, Set& passed) {
    take_program_order(before, g, s, rows, p, kind(v));
    g.each_awaited(v, [&](std::int32_t awaited) { take_program_order(before, g, s, rows, awaited, kind(v)); });
    if (node.loc < 0) return;
    if (node.rf >= 0 && (!kBuffers || v.op == kUpdate || g[v.rf].thread != v.thread)) take(before, rows, node.rf);
    if (kBuffers) passed = seen_alone(s, p, v.loc);
    if (kKept == Kept::kSra && v.op == kRead) passed = s.hb[n] & s.forced.place(v.loc).writes;
    if (!plain_write(v)) return;
    passed.each([&](std::int32_t w) { take(before, rows, w); });
    passed = Set{};
  }

  // What an event is to program order: a choice, or the end of an object, waits for no buffered write, and neither do
  // the fences of C but the sc one, compiled to x86.
  static std::uint8_t kind(const Event& v) {
    bool nothing = kKept == Kept::kX86 && v.op == kFence && v.order != kSc && v.order != kNa;
    return nothing || v.op == kFreeOp || v.op == kChooseOp ? std::uint8_t{kRead} : v.op;
  }

  static typename Forced::Node node(const State& s, const Event& v) {
    if (!s.contested(v.loc) || v.op == kFreeOp) return {};
    return {v.loc, s.node_of(v.rf), v.writes(), v.op == kUpdate || (v.op == kRead && kKept != Kept::kSra)};
  }

  // The next event that arrived. False if the rules refute it; then it must leave again.
  bool arrive(const Graph& g, State& s, std::int32_t e) {
    const Event& v = g[e];
    std::int32_t p = g.predecessor(e);
    bool access = v.loc >= 0 && v.op != kFreeOp;
    if (access && !s.contested(v.loc) && !s.settled.fits(g, v, p)) contest(g, s, v.loc);
    return add(g, s, e, v, p);
  }

  // Accesses of a location conflict, and are not fixed: those that were pushed get their places.
  void contest(const Graph& g, State& s, std::int32_t loc) {
    fit_location(loc);
    contested_[loc] = true;
    std::int32_t first = s.settled.first(loc), count = s.count;
    if (first < 0) return;
    while (s.count > first) leave(g, s, g.arrived(s.count - 1));
    while (s.count < count) add(g, s, g.arrived(s.count), g[g.arrived(s.count)], g.predecessor(g.arrived(s.count)));
  }

  void fit_location(std::int32_t loc) {
    if (static_cast<std::size_t>(loc) >= contested_.size()) contested_.resize(static_cast<std::size_t>(loc + 1) * 2);
  }

  // Adds an event that comes after p in program order.
  bool add(const Graph& g, State& s, std::int32_t e, const Event& v, std::int32_t p) {
    if (!kSettles) {
      ++s.count;
      return add_node(g, s, e, v, p);
    }
    bool access = v.loc >= 0 && v.op != kFreeOp;
    if (access) fit_location(v.loc);
    bool alone = s.settled.alone(g), knows = !v.reads() || v.rf == s.settled.source(v.loc);
    s.fit(e);
    s.settled.push(g, e, v, p, access && contested_[v.loc]);
    ++s.count;
    bool races = access && !alone && s.contested(v.loc);
    if (races || v.op == kJoinOp || v.op == kBarrierOp || drains(g, s, v, p)) return add_node(g, s, e, v, p);
    s.at[e] = p >= 0 ? s.at[p] : Spot{};
    s.at[e].node = -1;
    return knows;
  }

  // Whether an event that is no access of a contested location waits for a buffered write of one.
  static bool drains(const Graph& g, const State& s, const Event& v, std::int32_t p) {
    if (!kBuffers || p < 0 || buffered(v) || kind(v) == kRead) return false;
    if (kTotal) return s.at[p].weak >= 0;
    if (!fences(v)) return false;
    bool found = false;
    each_unfenced(g, s, p, [&](std::int32_t) { found = true; });
    return found;
  }

  // False if the rules refute it; then the node must go again.
  static bool add_node(const Graph& g, State& s, std::int32_t e, const Event& v, std::int32_t p) {
    s.fit(e);
    std::int32_t n = kSettles ? s.nodes++ : e;
    s.fit_node(n);
    s.event[n] = e;
    typename Forced::Node self = node(s, v);
    Spot spot = p >= 0 ? s.at[p] : Spot{};
    auto top = [&](std::int32_t o) { return o >= 0 ? s.at[o].top : -1; };
    Set hb{};
    take(hb, s.hb, top(p));
    g.each_awaited(v, [&](std::int32_t awaited) { take(hb, s.hb, top(awaited)); });
    take(hb, s.hb, self.rf);
    s.hb[n] = hb;
    spot.node = spot.top = n;
    if (kBuffers) {
      Set po{};
      take(po, s.po, top(p));
      g.each_awaited(v, [&](std::int32_t awaited) { take(po, s.po, top(awaited)); });
      s.po[n] = po;
      if (!buffered(v)) spot.strong = n;
      spot.weak = buffered(v) ? n : kind(v) == kRead ? spot.weak : -1;
    }
    s.at[e] = spot;
    if (self.loc >= 0) {
      s.passed[n] = kKept == Kept::kPso ? seen_alone(s, p, v.loc) : hb & s.forced.place(v.loc).writes;
      if (self.rf >= 0) s.passed[n].reset(self.rf);
    }
    if (v.op == kUpdate) s.updates.set(n);
    Set before{}, passed{};
    prepare(g, s, s.forced.before(), n, self, v, p, before, passed);
    bool good = s.forced.insert(n, self, before, passed);
    return good && (self.rf != kInitial || v.rf == s.initial(v.loc));
  }

  static void drop_node(State& s, std::int32_t n) {
    s.forced.remove(n);
    s.updates.reset(n);
    --s.nodes;
  }

  static void leave(const Graph& g, State& s, std::int32_t e) {
    std::int32_t n = s.at[e].node;
    if (n >= 0) drop_node(s, n);
    if (kSettles) s.settled.pop(g, e);
    if (s.reached != s.count--) return;
    bool found_here = s.reached-- == s.base;
    if (n < 0)
      s.base -= found_here;
    else if (found_here)
      s.base = s.reached = 0;
    else
      s.whole.remove(n);
  }

  // The writes of a location that are in one order, in that order.
  static void append_writes(const Graph& g, State& s, std::int32_t loc, WriteOrder& out) {
    auto first = static_cast<std::ptrdiff_t>(out.size());
    for (std::int32_t e = g.last_at(loc); e >= 0; e = g[e].at)
      if (g[e].writes() && !s.races(e)) out.push_back(e);
    std::reverse(out.begin() + first, out.end());
    std::size_t rest = out.size();
    s.forced.append_writes(loc, out);
    for (; rest < out.size(); ++rest) out[rest] = s.event[out[rest]];
  }

  // Brings `whole` up to all that was pushed: new writes come last, reads where they fit, and if one does
  // not, another order is looked for. False if there is none.
  static bool follow(const Graph& g, State& s) {
    for (; s.base > 0 && s.reached < s.count; ++s.reached) {
      std::int32_t e = g.arrival[s.reached], n = s.at[e].node;
      if (n < 0) continue;
      const typename Forced::Node& node = s.forced.node(n);
      Set before{}, passed{};
      prepare(g, s, s.whole.before(), n, node, g[e], g.predecessor(e), before, passed);
      if (node.writes && plain_write(g[e]))
        s.whole.place(node.loc).writes.each([&](std::int32_t w) { take(before, s.whole.before(), w); });
      if (!s.whole.insert(n, node, before, passed)) s.base = 0;
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
      take(seen, a.s.hb, a.before >= 0 ? a.s.at[a.before].top : -1);
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
    v.rf = w >= 0 ? a.s.event[w] : a.s.initial(a.loc);
    std::int32_t e = a.g.size();
    bool good = add_node(a.g, a.s, e, v, a.before) && a.s.forced.possible();
    drop_node(a.s, a.s.at[e].node);
    return good;
  }

  const std::vector<std::uint64_t>& rank_;
  Chains<kWords> chains_;  // of the location that was gathered last
  std::vector<State> levels_;
  std::vector<char> contested_;  // location -> whether it was in a graph before
};

}  // namespace porf::explore
