// Consistency under SC, TSO, PSO and SRA, kept along the path of an exploration. Each asks for one total
// order of all events (for a modification order of each location that agrees with one); what the graph forces
// on it is kept closed, and only what that leaves open is searched for.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/engine.hpp"
#include "explore/forced_order.hpp"
#include "explore/graph.hpp"

namespace porf::explore {

// Which edges of a graph the order keeps: all (SC); program order without what store buffers delay, and
// reads-from between threads (TSO, PSO); all, but reads say nothing of later writes (SRA).
enum class Kept : std::uint8_t { kSc, kTso, kPso, kSra };

template <Kept kKept, int kWords>
class Orders {
 public:
  static constexpr bool kFastCanonical = false;

  explicit Orders(const std::vector<std::uint64_t>&) {}

  void clear(std::int32_t level) {
    if (static_cast<std::size_t>(level) >= levels_.size())
      levels_.resize(static_cast<std::size_t>(level) + 1);
    levels_[level].forced.clear();
    levels_[level].updates = Set{};
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
  }

  bool try_push(const Graph& g, std::int32_t level, std::int32_t e) {
    State& s = levels_[level];
    if (add(g, s, e, g[e], g.predecessor(e)) && (!g[e].reads() || s.forced.complete(nullptr))) return true;
    pop(g, level, e);
    return false;
  }

  void pop(const Graph&, std::int32_t level, std::int32_t e) {
    levels_[level].forced.remove(e);
    levels_[level].updates.reset(e);
  }

  void sources(const Graph& g, std::int32_t level, std::int32_t t, std::int32_t loc,
               std::vector<Source>& out) {
    State& s = levels_[level];
    Asked asked{g, s, t, g.last[t] >= 0 ? g.last[t] : g.begun_by[t], loc, s.forced.decided(), false};
    Hidden read = hidden(asked, s.forced.before(), kRead), update = hidden(asked, s.forced.before(), kUpdate);
    auto offer = [&](std::int32_t w) {
      if (read(w) || !possible(asked, kRead, w)) return;
      const Set& readers = w >= 0 ? s.forced.readers(w) : s.forced.place(loc).of_initial;
      out.push_back({w, !readers.meets(s.updates) && !update(w) && possible(asked, kUpdate, w)});
    };
    offer(kInitial);
    Set writes = s.forced.place(loc).writes;
    writes.each(offer);
  }

 private:
  using Set = Bits<kWords>;
  using Forced = ForcedOrder<kWords>;
  using Rows = typename Forced::Rows;

  static constexpr bool kBuffers = kKept == Kept::kTso || kKept == Kept::kPso;

  struct State {
    Forced forced;
    Rows hb;                           // program order and reads-from
    Rows po;                           // of models with store buffers
    std::vector<std::int32_t> strong;  // the last event so far that is not a plain write; likewise,
    std::vector<std::int32_t> weak;    // the last plain write so far, if nothing full came after it
    Set updates{};
    Rows whole;  // a completed order

    void fit(std::int32_t e) {
      if (static_cast<std::size_t>(e) < hb.size()) return;
      std::size_t size = static_cast<std::size_t>(e + 1) * 2;
      hb.resize(size);
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
    bool decided;    // nothing is open
    bool completed;  // `whole` is there
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
  static bool fences(const Event& v) { return v.op >= kFence; }

  // What the order has before an event of this kind that comes after p in program order.
  static void take_program_order(Set& into, const Graph& g, const State& s, const Rows& rows, std::int32_t p,
                                 std::uint8_t op) {
    if (p < 0) return;
    if (!kBuffers) {
      take(into, rows, p);
      return;
    }
    take(into, rows, s.strong[p]);
    if (kKept == Kept::kTso && op != kRead) take(into, rows, s.weak[p]);
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

  // Adds an event that comes after p in program order. False if the rules refute it; then it must go again.
  static bool add(const Graph& g, State& s, std::int32_t e, const Event& v, std::int32_t p) {
    s.fit(e);
    const Rows& rows = s.forced.before();
    Set before{}, passed{}, hb{};
    take_program_order(before, g, s, rows, p, v.op);
    take(hb, s.hb, p);
    std::int32_t joined = -1;
    if (v.op == kJoinOp) joined = g.last[v.other] >= 0 ? g.last[v.other] : g.begun_by[v.other];
    take_program_order(before, g, s, rows, joined, v.op);
    take(hb, s.hb, joined);
    if (v.rf >= 0) {
      take(hb, s.hb, v.rf);
      if (!kBuffers || v.op == kUpdate || g[v.rf].thread != v.thread) take(before, rows, v.rf);
    }
    s.hb[e] = hb;
    if (kBuffers) {
      Set po{};
      take(po, s.po, p);
      take(po, s.po, joined);
      s.po[e] = po;
      s.strong[e] = !plain_write(v) ? e : p >= 0 ? s.strong[p] : -1;
      s.weak[e] = plain_write(v) ? e : v.op == kRead && p >= 0 ? s.weak[p] : -1;
      if (v.loc >= 0) passed = seen_alone(s, p, v.loc);
      if (plain_write(v)) passed.each([&](std::int32_t w) { take(before, rows, w); });
    } else if (kKept == Kept::kSra && v.op == kRead) {
      passed = hb & s.forced.place(v.loc).writes;
    }
    if (plain_write(v)) passed = Set{};
    if (v.op == kUpdate) s.updates.set(e);
    bool binds = v.op == kUpdate || (v.op == kRead && kKept != Kept::kSra);
    return s.forced.insert(e, {v.loc, v.rf, v.writes(), binds}, before, passed);
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
    if (!a.completed) a.s.forced.complete(&a.s.whole);
    a.completed = true;
    if (!hidden(a, a.s.whole, op)(w)) return true;
    Event v;
    v.thread = a.thread;
    v.loc = a.loc;
    v.op = op;
    v.rf = w;
    std::int32_t e = a.g.size();
    bool good = add(a.g, a.s, e, v, a.before) && a.s.forced.complete(nullptr);
    a.s.forced.remove(e);
    a.s.updates.reset(e);
    return good;
  }

  std::vector<State> levels_;
};

}  // namespace porf::explore
