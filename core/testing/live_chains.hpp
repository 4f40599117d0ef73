// The coherence family (Relaxed, RC20, RA) in a run that only goes forward. The writes of a location form chains: a
// write, and the updates that read it and each other. What a read has seen orders chains; that order is kept as edges,
// not closed. A chain knows the threads for which it is over: they have seen a later one. These sets only grow, so each
// edge is walked at most once a thread, and what is over for all threads can be forgotten. SC events of RC11 and C++20
// are in the order in which they come, and what comes late in it sees what came early.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "explore/engine.hpp"
#include "explore/graph.hpp"
#include "testing/clocks.hpp"

namespace porf::testing {

using Threads = std::uint64_t;  // a set of them, by number

class LiveChains {
 public:
  static constexpr std::int32_t kMostThreads = 64;

  void begin(const explore::Graph& g) {
    n_ = g.stride;
    chains_.assign(1, {.over = ~Threads{0}});  // kGone: what is forgotten
    edges_.clear();
    initial_.clear();
    chain_.clear();
    pos_.clear();
    wrote_.clear();
    sc_.clear();
  }

  // The writes of a location that a thread may read next: of each other thread's, the newest.
  void sources(const explore::Graph& g, const Clocks& clocks, std::int32_t t, std::int32_t loc,
               std::vector<explore::Source>& out) {
    const explore::Pending& p = g.pending(t);
    bool sc = p.order == kSc || (p.next == explore::Next::kCas && p.failure == kSc);
    fit_location(loc);
    look(g, clocks, t, loc, clocks.of(t), -1, sc);
    if (is_open(t, initial_[loc], 0)) out.push_back({kInitial, chains_[initial_[loc]].tail == 0});
    g.each_last_of(loc, [&](std::int32_t last, std::int32_t) {
      std::int32_t left = kMostSources;
      for (std::int32_t e = wrote_[last]; e >= 0 && left-- > 0; e = g[e].same >= 0 ? wrote_[g[e].same] : -1) {
        std::int32_t c = chain_[e];
        if (!is_open(t, c, pos_[e])) return;
        out.push_back({e, chains_[c].tail == pos_[e]});
      }
    });
  }

  // An event stays; the clocks have it.
  void take(const explore::Graph& g, const Clocks& clocks, std::int32_t e) {
    if (static_cast<std::size_t>(e) >= chain_.size()) {
      std::size_t size = static_cast<std::size_t>(e + 1) * 2;
      chain_.resize(size);
      pos_.resize(size);
      wrote_.resize(size);
    }
    const explore::Event& v = g[e];
    if (v.loc < 0) return;
    fit_location(v.loc);
    wrote_[e] = v.writes() ? e : v.same >= 0 ? wrote_[v.same] : -1;
    look(g, clocks, v.thread, v.loc, clocks.of(v.thread), e, v.order == kSc);
    std::int32_t c, p = 0;
    if (v.op == kWrite) {
      c = static_cast<std::int32_t>(chains_.size());
      chains_.push_back({});
    } else {
      c = v.rf >= 0 ? chain_[v.rf] : initial_[v.loc];
      p = v.rf >= 0 ? pos_[v.rf] : 0;
      if (v.op == kUpdate) chains_[c].tail = ++p;
    }
    chain_[e] = c;
    pos_[e] = p;
    for (const Seen& s : seen_)
      if (s.chain != c && s.chain != initial_[v.loc] && !(chains_[s.chain].over & bit(v.thread))) order(s.chain, c);
    see(v.thread, v.loc, c);
    if (clocks.orders_fences() && v.order == kSc && v.writes()) add_sc(v.loc, {clocks.fences(), c, p});
  }

  // Marks the events of which something may still be learned: the writes that a thread may read, and the accesses that
  // tell who looks back what is over. `alive` are the threads that go on, `clocks` what they have seen.
  void keep(const explore::Graph& g, Threads alive, Clocks& clocks, std::vector<char>& kept);

  // Events have new numbers in `g`, or are gone (-1).
  void rename(const explore::Graph& g, Threads alive, const Clocks& clocks, const std::vector<std::int32_t>& renamed);

 private:
  // SC writes that no thread will see, or that tell nobody anything, go.
  void forget_sc(Threads alive, const Clocks& clocks);

  static constexpr std::int32_t kGone = 0;
  static constexpr std::int32_t kMostSources = 256;  // of one thread

  struct Chain {
    Threads over = 0;           // for them: they have seen a later one
    Threads seen = 0;           // by them
    std::int32_t tail = 0;      // the position of its last update
    std::int32_t earlier = -1;  // edges from chains that come before it
  };
  struct Edge {
    std::int32_t from, next;
  };
  struct Seen {
    std::int32_t chain, pos, event;
  };

  // An SC write, and how many SC fences had come before it.
  struct ScWrite {
    Count fences;
    std::int32_t chain, pos;
  };

  static Threads bit(std::int32_t t) { return Threads{1} << t; }

  void fit_location(std::int32_t loc) {
    while (static_cast<std::size_t>(loc) >= initial_.size()) {
      initial_.push_back(static_cast<std::int32_t>(chains_.size()));
      chains_.push_back({});
    }
  }

  // What a thread that has seen so much has seen of a location: of each thread, its last access that happens before.
  // `skip` is not looked at.
  void look(const explore::Graph& g, const Clocks& clocks, std::int32_t t, std::int32_t loc, const Count* hb,
            std::int32_t skip, bool sc) {
    seen_.clear();
    each_last(g, clocks, loc, hb, skip, [&](std::int32_t e) { note(chain_[e], pos_[e], e); });
    if (clocks.orders_fences()) look_at_sc(g, clocks, loc, hb, skip, sc);
    for (const Seen& s : seen_) see(t, loc, s.chain);
  }

  // An access after an SC fence sees the SC writes before that; an SC access sees those before itself, and the writes
  // that come before an SC fence.
  void look_at_sc(const explore::Graph& g, const Clocks& clocks, std::int32_t loc, const Count* hb, std::int32_t skip,
                  bool sc) {
    if (static_cast<std::size_t>(loc) < sc_.size()) {
      const std::vector<ScWrite>& line = sc_[loc];
      auto w = line.rbegin();
      while (w != line.rend() && !sc && w->fences >= clocks.fences_in(hb)) ++w;
      if (w != line.rend()) note(w->chain, w->pos, -1);
    }
    if (!sc) return;
    each_last(g, clocks, loc, clocks.all_fences(), skip, [&](std::int32_t e) {
      if (std::int32_t w = wrote_[e]; w >= 0) note(chain_[w], pos_[w], -1);
    });
  }

  template <typename Visit>
  void each_last(const explore::Graph& g, const Clocks& clocks, std::int32_t loc, const Count* among, std::int32_t skip,
                 const Visit& visit) const {
    g.each_last_of(loc, [&](std::int32_t last, std::int32_t u) {
      std::int32_t e = g.last_of(last, [&](std::int32_t o) { return clocks.count_before(o) < among[u] && o != skip; });
      if (e >= 0) visit(e);
    });
  }

  void note(std::int32_t c, std::int32_t p, std::int32_t e) {
    if (c == kGone) return;
    auto known = std::find_if(seen_.begin(), seen_.end(), [&](const Seen& s) { return s.chain == c; });
    if (known == seen_.end())
      seen_.push_back({c, p, e});
    else if (known->pos < p)
      *known = {c, p, e};
  }

  // Of SC writes with the same fences before them, the last one is enough.
  void add_sc(std::int32_t loc, const ScWrite& w) {
    if (static_cast<std::size_t>(loc) >= sc_.size()) sc_.resize(static_cast<std::size_t>(loc) + 1);
    std::vector<ScWrite>& line = sc_[loc];
    if (!line.empty() && line.back().fences == w.fences)
      line.back() = w;
    else
      line.push_back(w);
  }

  bool is_open(std::int32_t t, std::int32_t c, std::int32_t p) const {
    if (chains_[c].over & bit(t)) return false;
    for (const Seen& s : seen_)
      if (s.chain == c) return p >= s.pos;
    return true;
  }

  void see(std::int32_t t, std::int32_t loc, std::int32_t c) {
    if (c != initial_[loc]) chains_[initial_[loc]].over |= bit(t);
    if (chains_[c].seen & bit(t)) return;
    chains_[c].seen |= bit(t);
    raise_before(c, bit(t));
  }

  // All chains before this one are over for these threads.
  void raise_before(std::int32_t c, Threads threads) {
    todo_.push_back(c);
    while (!todo_.empty()) {
      std::int32_t at = todo_.back();
      todo_.pop_back();
      for (std::int32_t n = chains_[at].earlier; n >= 0; n = edges_[n].next) {
        Chain& before = chains_[edges_[n].from];
        if ((before.over & threads) == threads) continue;
        before.over |= threads;
        todo_.push_back(edges_[n].from);
      }
    }
  }

  void order(std::int32_t from, std::int32_t to) {
    for (std::int32_t n = chains_[to].earlier; n >= 0; n = edges_[n].next)
      if (edges_[n].from == from) return;
    edges_.push_back({from, chains_[to].earlier});
    chains_[to].earlier = static_cast<std::int32_t>(edges_.size()) - 1;
    Threads threads = chains_[to].over | chains_[to].seen;
    if ((chains_[from].over & threads) == threads) return;
    chains_[from].over |= threads;
    raise_before(from, threads);
  }

  std::int32_t n_ = 0;
  std::vector<Chain> chains_;
  std::vector<Edge> edges_;
  std::vector<std::int32_t> initial_;      // location -> the chain of its initial value
  std::vector<std::int32_t> chain_, pos_;  // event -> the value that it leaves: its write, or what it read
  std::vector<std::int32_t> wrote_;        // event -> the last write of its thread at its location, not after it
  std::vector<std::vector<ScWrite>> sc_;   // location -> its SC writes, as they came
  std::vector<Seen> seen_;                 // by the thread that looked last
  std::vector<std::int32_t> todo_;
};

}  // namespace porf::testing
