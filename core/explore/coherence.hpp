// Consistency under Relaxed, RC20, RA and WRA, kept along the path of an exploration. A location's writes form chains
// (a write and the updates that read it, and each other). What is forced on the modification order is an order of
// chains; here it is kept transitively closed, as bits. The graph is consistent if that has no cycle.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "explore/bits.hpp"
#include "explore/chain_sources.hpp"
#include "explore/engine.hpp"
#include "explore/graph.hpp"
#include "explore/views.hpp"

namespace porf::explore {

// `kWeak`: no modification order (WRA); happens-before alone orders the writes of a location.
template <Sync kSync, bool kWeak, int kWords>
class Coherence {
 public:
  static constexpr bool kFastCanonical = true;
  static constexpr std::int32_t kChains = 64 * kWords;

  // `rank`: thread -> its place in a fixed order of threads.
  explicit Coherence(const std::vector<std::uint64_t>& rank) : rank_(rank) {}

  // Level: which of the nested graphs is meant. States are made as they are needed.
  void clear(std::int32_t level) {
    if (static_cast<std::size_t>(level) >= levels_.size()) levels_.resize(static_cast<std::size_t>(level) + 1);
    State& s = levels_[level];
    s.trail.clear();
    for (std::int32_t loc : s.used) {
      s.count[loc] = 0;
      s.at(loc, 0) = Chain{};
    }
    s.used.clear();
    s.starts = 0;
    s.joins.clear();
  }

  // The state of a whole graph. The last `fresh` arrivals are not known to be consistent: false if they are not.
  bool rebuild(const Graph& g, std::int32_t level, std::int32_t fresh) {
    clear(level);
    std::int32_t n = static_cast<std::int32_t>(g.arrival.size());
    for (std::int32_t i = 0; i < n - fresh; ++i) push(g, level, g.arrival[i]);
    for (std::int32_t i = n - fresh; i < n; ++i)
      if (!try_push(g, level, g.arrival[i])) return false;
    return true;
  }

  // Pushes the event if it may be there.
  bool try_push(const Graph& g, std::int32_t level, std::int32_t e) {
    if (!admits(g, level, e)) return false;
    push(g, level, e);
    return true;
  }

  // The event was added and may be there.
  void push(const Graph& g, std::int32_t level, std::int32_t e) { insert(g, levels_[level], e, g[e]); }

  // Takes back the event that was pushed last.
  void pop(const Graph& g, std::int32_t level, std::int32_t e) { remove(levels_[level], e, g[e]); }

  // The writes that a next read of the thread may read from.
  void sources(const Graph& g, std::int32_t level, std::int32_t t, std::int32_t loc, std::vector<Source>& out) {
    State& s = levels_[level];
    s.fit_location(loc);
    std::int32_t before = g.last[t] >= 0 ? g.last[t] : g.begun_by[t];
    readable(g, s, loc, before >= 0 ? clock(g, s, before) : nullptr, -1);
    if (allowed(s, loc, 0, 0)) out.push_back({kInitial, is_free(s, loc, 0, 0)});
    if (kWeak) {
      for (std::int32_t e = g.last_at(loc); e >= 0; e = g[e].at)
        if (g[e].writes() && allowed(s, loc, s.chain[e], 0)) out.push_back({e, is_free(s, loc, s.chain[e], 0)});
      return;
    }
    // Of a thread's writes, one that may not be read comes after all that may not.
    auto first = static_cast<std::ptrdiff_t>(out.size());
    g.each_last_of(loc, [&](std::int32_t last, std::int32_t) {
      for (std::int32_t e = s.wrote[last]; e >= 0; e = g[e].same >= 0 ? s.wrote[g[e].same] : -1) {
        std::int32_t c = s.chain[e], p = s.pos[e];
        if (!allowed(s, loc, c, p)) return;
        out.push_back({e, is_free(s, loc, c, p)});
      }
    });
    std::sort(out.begin() + first, out.end(), [](const Source& a, const Source& b) { return a.write > b.write; });
  }

  // Whether d reads what is canonical in the graph of the cut: the tail of a chain that nothing forces to be
  // followed by another, of the first thread that has one. Reading it is always consistent.
  bool canonical(const Graph& g, std::int32_t level, const Cut& cut, std::int32_t d) {
    const State& s = levels_[level];
    const Event& v = g[d];
    if (v.rf > d && (v.rf == cut.a || !g.before(v.rf, cut.prefix))) return false;
    std::int32_t c = v.rf >= 0 ? s.chain[v.rf] : 0, p = v.rf >= 0 ? s.pos[v.rf] : 0;
    Set followed{}, present{};
    if (kWeak) {
      for (std::int32_t e = g.last_at(v.loc); e >= 0; e = g[e].at) {
        if (e == d || e == cut.a || (e > d && !g.before(e, cut.prefix))) continue;
        followed.add(s.seen[e]);
        if (g[e].writes()) present.set(s.chain[e]);
      }
    } else {
      // A chain that nothing follows is that of the last access of each thread that has written to it.
      bool overwritten = false;
      each_last(g, cut, d, [&](std::int32_t e) {
        followed.add(s.seen[e]);
        present.set(s.chain[e]);
        std::int32_t last = e != cut.a ? s.pos[e] : g[e].rf >= 0 ? s.pos[g[e].rf] : 0;
        overwritten |= s.chain[e] == c && last > p;
      });
      if (overwritten) return false;
    }
    if (followed.test(c)) return false;
    present.reset(0);
    if (c == 0) return present == Set{};
    std::uint64_t own = key(g, s.at(v.loc, c).first);
    bool first = true;
    present.each([&](std::int32_t other) {
      if (!followed.test(other) && key(g, s.at(v.loc, other).first) < own) first = false;
    });
    return first;
  }

  // Any order of chains that keeps what is forced will do, each location by itself.
  std::uint64_t orders(const Graph& g, std::int32_t level, std::vector<WriteOrder>* all)
    requires(!kWeak)
  {
    const State& s = levels_[level];
    std::uint64_t product = 1;
    std::vector<WriteOrder> found{{}};
    for (std::size_t x = 0; x < g.at.size(); ++x) {
      if (g.at[x] < 0) continue;
      auto loc = static_cast<std::int32_t>(x);
      if (all == nullptr) {
        product *= extensions(s, loc);
        continue;
      }
      std::vector<WriteOrder> here, longer;
      WriteOrder chains;
      extend(g, s, loc, chains, here);
      for (const WriteOrder& a : found)
        for (const WriteOrder& b : here) {
          longer.push_back(a);
          longer.back().insert(longer.back().end(), b.begin(), b.end());
        }
      found = std::move(longer);
    }
    if (all == nullptr) return product;
    all->insert(all->end(), found.begin(), found.end());
    return found.size();
  }

  // For reads that wait: the writes of a location in the part of a graph where `inside` holds, for a read that comes
  // after an event of its thread, or what started that (-1: nothing). An event that `only_reads` is no write there.
  using Sources = ChainSources<kWords>;

  static constexpr bool kWakes = true;

  bool can_be_safe(const Graph&, std::int32_t, const Pending&, std::int32_t) const
    requires(!kWeak)
  {
    return true;
  }
  template <typename Inside>
  void gather(const Graph& g, std::int32_t level, std::int32_t loc, std::int32_t before, Inside inside,
              std::int32_t only_reads, Sources& out) const {
    const State& s = levels_[level];
    const Clock* hb = before >= 0 ? clock(g, s, before) : nullptr;
    out.clear();
    for (std::int32_t e = g.last_at(loc); e >= 0; e = g[e].at) {
      if (!inside(e)) continue;
      out.add_access(s.chain[e], s.seen[e]);
      if (hb != nullptr && g.before(e, hb)) out.know(s.chain[e], s.pos[e]);
      if (g[e].writes() && e != only_reads) out.add_write(e, s.chain[e], s.pos[e]);
    }
  }
  // The same for a thread's next event, if all accesses of the location happen before that, in one order: then it has
  // one source, and the writes before that need not be looked at. False if that is not so.
  bool gather_only(const Graph& g, std::int32_t level, std::int32_t thread, std::int32_t before, Sources& out) const {
    const State& s = levels_[level];
    std::int32_t loc = g.pending(thread).loc;
    const Clock* hb = before >= 0 ? clock(g, s, before) : nullptr;
    if (hb == nullptr || static_cast<std::size_t>(loc) >= s.count.size() || s.count[loc] == 0) return false;
    std::int32_t end = -1;
    bool all = true;
    g.each_last_of(loc, [&](std::int32_t e, std::int32_t) {
      all = all && g.before(e, hb);
      Set known = s.seen[e];
      known.set(s.chain[e]);
      known.set(0);
      if (known.count() == s.count[loc] && s.pos[e] == s.at(loc, s.chain[e]).tail) end = e;
    });
    if (!all || end < 0) return false;
    out.clear();
    out.add_access(s.chain[end], s.seen[end]);
    out.know(s.chain[end], s.pos[end]);
    std::int32_t write = g[end].writes() ? end : g[end].rf;
    if (write >= 0) out.add_write(write, s.chain[end], s.pos[end]);
    return true;
  }
  // An update that only reads, since its source is taken, as if it were not.
  void add_conflict(const Graph&, std::int32_t level, std::int32_t e, Sources& out) const {
    const State& s = levels_[level];
    out.add_write(e, s.chain[e], s.pos[e] + 1);
  }
  // Orders the chains of a location.
  std::uint64_t chain_key(const Graph& g, std::int32_t level, std::int32_t loc, std::int32_t c) const {
    return c == 0 ? 0 : key(g, levels_[level].at(loc, c).first) + 1;
  }

 protected:
  using Set = Bits<kWords>;

  struct Chain {
    Set after{};              // the chains that must follow it
    std::int32_t tail = 0;    // the position of its last update
    bool taken = false;       // weak: by an update
    std::int32_t first = -1;  // its first write
  };

  struct Change {
    std::int32_t loc, chain;
    Set after;
  };

  struct State {
    std::vector<std::int32_t> chain, pos;  // of the value that an event leaves: its write, or what it read
    std::vector<std::int32_t> wrote;       // the last write of its thread at its location, not after it, or -1
    std::vector<Set> seen;                 // the other chains of the location that happen before it
    std::vector<std::size_t> mark;
    std::vector<std::int32_t> count;  // location -> chains; 0 if it was not used yet
    std::vector<std::size_t> base;    // location -> where its chains are; the first is that of the initial value
    std::vector<std::int32_t> room;   // and for how many there is room
    std::vector<Chain> chains;
    std::vector<std::int32_t> used;  // locations
    std::size_t starts = 0;          // of threads
    std::vector<std::int32_t> joins;
    std::vector<Change> trail;
    Views views;
    Set known;                                // of the read at hand: chains that it has seen,
    std::array<std::int32_t, kChains> least;  // and the position that it has seen in each

    Chain& at(std::int32_t loc, std::int32_t c) { return chains[base[loc] + static_cast<std::size_t>(c)]; }
    const Chain& at(std::int32_t loc, std::int32_t c) const { return chains[base[loc] + static_cast<std::size_t>(c)]; }

    void fit(std::int32_t e) {
      if (static_cast<std::size_t>(e) < chain.size()) return;
      std::size_t size = static_cast<std::size_t>(e + 1) * 2;
      chain.resize(size);
      pos.resize(size);
      wrote.resize(size);
      seen.resize(size);
      mark.resize(size);
    }
    void fit_location(std::int32_t loc) {
      if (static_cast<std::size_t>(loc) >= count.size()) {
        count.resize(static_cast<std::size_t>(loc) + 1);
        base.resize(count.size());
        room.resize(count.size());
      }
      if (count[loc] > 0) return;
      if (room[loc] == 0) make_room(loc, 4);
      count[loc] = 1;
      used.push_back(loc);
    }
    // The chains of a location move to where there is room for more.
    void make_room(std::int32_t loc, std::int32_t size) {
      std::size_t from = base[loc];
      base[loc] = chains.size();
      chains.resize(chains.size() + static_cast<std::size_t>(size));
      std::copy_n(chains.begin() + static_cast<std::ptrdiff_t>(from), room[loc],
                  chains.begin() + static_cast<std::ptrdiff_t>(base[loc]));
      room[loc] = size;
    }
  };

  // The last access of each thread at the location of d, in the graph of the cut; the cut's write is there only as far
  // as it reads.
  template <typename Visit>
  static void each_last(const Graph& g, const Cut& cut, std::int32_t d, const Visit& visit) {
    auto inside = [&](std::int32_t e) {
      return e < d ? e != cut.a || g[e].op != kWrite : g.before(e, cut.prefix) && (e != cut.a || g[e].op != kWrite);
    };
    g.each_last_of(g[d].loc, [&](std::int32_t last, std::int32_t) {
      if (std::int32_t e = g.last_of(last, inside); e >= 0) visit(e);
    });
  }

  // Event e, which may be no part of the graph yet, comes last.
  void insert(const Graph& g, State& s, std::int32_t e, const Event& v) {
    if (kSync != Sync::kAll) s.views.set(g, e, v, kSync);
    s.fit(e);
    s.mark[e] = s.trail.size();
    if (v.op == kSpawnOp) ++s.starts;
    if (v.op == kJoinOp) s.joins.push_back(e);
    if (v.loc < 0) return;
    s.fit_location(v.loc);
    s.wrote[e] = v.writes() ? e : v.same >= 0 ? s.wrote[v.same] : -1;
    Set seen = visible(g, s, v.loc, clock(g, s, e), e, nullptr);
    if (kWeak) {
      s.chain[e] = v.writes() ? add_chain(s, v.loc, e) : 0;
      if (!v.writes()) seen = Set{};
      if (v.op == kUpdate) s.at(v.loc, source_chain(s, v)).taken = true;
      s.seen[e] = seen;
      return;
    }
    std::int32_t c;
    if (std::int32_t w = v.op == kWrite ? neighbour(g, s, v) : kNotRead; w != kNotRead) {
      c = w >= 0 ? s.chain[w] : 0;
      s.pos[e] = ++s.at(v.loc, c).tail;
    } else if (v.op == kWrite) {
      c = add_chain(s, v.loc, e);
      s.pos[e] = 0;
    } else {
      c = source_chain(s, v);
      s.pos[e] = v.rf >= 0 ? s.pos[v.rf] : 0;
      if (v.op == kUpdate) s.at(v.loc, c).tail = ++s.pos[e];
    }
    s.chain[e] = c;
    seen.reset(c);
    s.seen[e] = seen;
    order(s, v.loc, seen, c);
  }

  // The write that a new write of a thread comes right after, whatever is added to the graph: before the first thread
  // starts, or after all others were joined, what is there happens before it and what comes later happens after it. It
  // is in the chain of that write, as an update would be. kNotRead if there is none.
  static std::int32_t neighbour(const Graph& g, const State& s, const Event& v) {
    if (kWeak || s.starts != s.joins.size() || !g.is_single()) return kNotRead;
    std::int32_t w = v.same >= 0 ? s.wrote[v.same] : kInitial;
    if (s.starts == 0) return w;
    const Event& alone = g[s.joins.back()];
    return w >= 0 && alone.thread == v.thread && alone.index < g[w].index ? w : kNotRead;
  }

  // Whether a write is the first one of its chain.
  static bool begins(const State& s, std::int32_t e, const Event& v) {
    return kWeak || s.at(v.loc, s.chain[e]).first == e;
  }

  void undo(State& s, std::size_t mark) {
    while (s.trail.size() > mark) {
      s.at(s.trail.back().loc, s.trail.back().chain).after = s.trail.back().after;
      s.trail.pop_back();
    }
  }

  void remove(State& s, std::int32_t e, const Event& v) {
    if (v.op == kSpawnOp) --s.starts;
    if (v.op == kJoinOp) s.joins.pop_back();
    if (v.loc < 0) return;
    undo(s, s.mark[e]);
    if (v.op == kWrite && !begins(s, e, v)) {
      --s.at(v.loc, s.chain[e]).tail;
      return;
    }
    if (v.op == kWrite || (kWeak && v.op == kUpdate)) --s.count[v.loc];
    if (v.op != kUpdate) return;
    Chain& chain = s.at(v.loc, source_chain(s, v));
    if (kWeak)
      chain.taken = false;
    else
      --chain.tail;
  }

  static std::int32_t source_chain(const State& s, const Event& v) { return v.rf >= 0 ? s.chain[v.rf] : 0; }

  static const Clock* clock(const Graph& g, const State& s, std::int32_t e) {
    return kSync == Sync::kAll ? g.porf(e) : s.views(g, e);
  }

  std::int32_t add_chain(State& s, std::int32_t loc, std::int32_t e) {
    std::int32_t c = s.count[loc]++;
    if (c >= kChains) throw Grow{Grow::kWrites};
    if (c >= s.room[loc]) s.make_room(loc, 2 * c);
    s.at(loc, c) = Chain{{}, 0, false, e};
    return c;
  }

  // Orders events by thread and index.
  std::uint64_t key(const Graph& g, std::int32_t e) const {
    return rank_[g[e].thread] << 32 | static_cast<std::uint64_t>(g[e].index);
  }

  // The chains at a location that happen before a clock; in WRA, the writes. `skip` is not looked at.
  Set visible(const Graph& g, const State& s, std::int32_t loc, const Clock* hb, std::int32_t skip,
              std::int32_t* least) const {
    Set set{};
    if (hb == nullptr) return set;
    if (kWeak) {
      for (std::int32_t e = g.last_at(loc); e >= 0; e = g[e].at)
        if (e != skip && g[e].writes() && g.before(e, hb)) set.set(s.chain[e]);
      return set;
    }
    // The chains that a thread has seen are known to its last access.
    g.each_last_of(loc, [&](std::int32_t last, std::int32_t t) {
      auto end = static_cast<std::int32_t>(hb[t]);
      std::int32_t e = g.last_of(last, [&](std::int32_t o) { return g[o].index < end && o != skip; });
      if (e < 0) return;
      std::int32_t c = s.chain[e];
      set.add(s.seen[e]);
      if (least != nullptr) least[c] = set.test(c) ? std::max(least[c], s.pos[e]) : s.pos[e];
      set.set(c);
    });
    return set;
  }

  // What a read with this clock has seen already.
  void readable(const Graph& g, State& s, std::int32_t loc, const Clock* hb, std::int32_t skip) {
    s.known = visible(g, s, loc, hb, skip, s.least.data());
    if (!kWeak) return;
    Set hidden{};  // the writes before one that it has seen
    if (hb != nullptr)
      for (std::int32_t e = g.last_at(loc); e >= 0; e = g[e].at)
        if (e != skip && g[e].writes() && g.before(e, hb)) hidden.add(s.seen[e]);
    if (s.known != Set{}) hidden.set(0);
    s.known = hidden;
  }

  static bool allowed(const State& s, std::int32_t loc, std::int32_t c, std::int32_t p) {
    if (kWeak) return !s.known.test(c);
    if (s.known.test(c) && p < s.least[c]) return false;
    if (c != 0) return !s.at(loc, c).after.meets(s.known);
    Set others = s.known;
    others.reset(0);
    return others == Set{};
  }

  static bool is_free(const State& s, std::int32_t loc, std::int32_t c, std::int32_t p) {
    return kWeak ? !s.at(loc, c).taken : s.at(loc, c).tail == p;
  }

  // Whether the event may be added to what was pushed; its clock need not be known.
  bool admits(const Graph& g, std::int32_t level, std::int32_t e) {
    const Event& v = g[e];
    if (!v.reads()) return true;
    State& s = levels_[level];
    s.fit_location(v.loc);
    std::int32_t before = g.predecessor(e);
    readable(g, s, v.loc, before >= 0 ? clock(g, s, before) : nullptr, e);
    std::int32_t c = source_chain(s, v), p = v.rf >= 0 ? s.pos[v.rf] : 0;
    return allowed(s, v.loc, c, p) && (v.op != kUpdate || is_free(s, v.loc, c, p));
  }

  // The chains in `first` come before chain c, and so does what is before them.
  void order(State& s, std::int32_t loc, const Set& first, std::int32_t c) {
    if (first == Set{}) return;
    Set gained = s.at(loc, c).after;
    gained.set(c);
    for (std::int32_t p = 0; p < s.count[loc]; ++p) {
      Chain& chain = s.at(loc, p);
      if ((!first.test(p) && !chain.after.meets(first)) || chain.after.contains(gained)) continue;
      s.trail.push_back({loc, p, chain.after});
      chain.after.add(gained);
    }
  }

  // Chain c may come next after those that are placed: nothing else that is left must be before it.
  static bool minimal(const State& s, std::int32_t loc, const Set& placed, std::int32_t c) {
    for (std::int32_t p = 0; p < s.count[loc]; ++p)
      if (p != c && !placed.test(p) && (p == 0 || s.at(loc, p).after.test(c))) return false;
    return true;
  }

  // In how many ways the chains of a location can be put in order.
  std::uint64_t extensions(const State& s, std::int32_t loc) const {
    std::map<std::array<std::uint64_t, kWords>, std::uint64_t> known;
    return extensions(s, loc, Set{}, known);
  }

  // In how many ways the chains that are not placed yet can follow.
  std::uint64_t extensions(const State& s, std::int32_t loc, Set placed,
                           std::map<std::array<std::uint64_t, kWords>, std::uint64_t>& known) const {
    if (auto it = known.find(placed.word); it != known.end()) return it->second;
    std::uint64_t ways = 0;
    bool complete = true;
    for (std::int32_t c = 0; c < s.count[loc]; ++c) {
      if (placed.test(c)) continue;
      complete = false;
      if (!minimal(s, loc, placed, c)) continue;
      Set more = placed;
      more.set(c);
      ways += extensions(s, loc, more, known);
    }
    return known[placed.word] = complete ? 1 : ways;
  }

  // The same, one by one; `chains` are those placed so far.
  void extend(const Graph& g, const State& s, std::int32_t loc, WriteOrder& chains,
              std::vector<WriteOrder>& out) const {
    Set placed{};
    for (std::int32_t c : chains) placed.set(c);
    if (static_cast<std::int32_t>(chains.size()) == s.count[loc]) {
      WriteOrder writes;
      for (std::int32_t c : chains) {
        std::size_t first = writes.size();
        for (std::int32_t e = g.last_at(loc); e >= 0; e = g[e].at)
          if (g[e].writes() && s.chain[e] == c) writes.push_back(e);
        std::sort(writes.begin() + static_cast<std::ptrdiff_t>(first), writes.end(),
                  [&](std::int32_t a, std::int32_t b) { return s.pos[a] < s.pos[b]; });
      }
      out.push_back(std::move(writes));
      return;
    }
    for (std::int32_t c = 0; c < s.count[loc]; ++c) {
      if (placed.test(c) || !minimal(s, loc, placed, c)) continue;
      chains.push_back(c);
      extend(g, s, loc, chains, out);
      chains.pop_back();
    }
  }

  const std::vector<std::uint64_t>& rank_;
  std::vector<State> levels_;
};

}  // namespace porf::explore
