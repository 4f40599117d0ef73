// Algorithm 3 of Tunç et al. 2023 as a stream: from each access to the modification-order edges that coherence forces.
//
// Every access leaves a value: a write its own, a read the one it read. When an access e of location x
// *targets* w (the write it reads, or itself for a plain write) and another access a of x happens before e,
// then a's value must not come after w: an edge from its chain to w's chain (Lemma 3.2). A chain is a plain
// write with the updates that read each other from it on; atomicity keeps it together, so chains are the
// nodes. These facts keep the stream short:
//  - per thread, only its last access before e counts: its earlier ones were ordered before that one (Lemma
//  A.6's idea);
//  - what thread t had seen by its previous access p of x is ordered before p's value, which is ordered
//  before w:
//    only threads of which t has learned since p matter;
//  - what w had seen was ordered before w's chain when w was scanned: only the clock *before* e's read
//  counts, and of that
//    only what w had not seen; likewise what the location's latest access had seen, if thread t saw that one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "coherence/access_log.hpp"
#include "coherence/happens_before.hpp"
#include "execution.hpp"
#include "kernel.hpp"
#include "memory.hpp"

namespace porf::coherence {

// Chains are numbered as their top writes are scanned; the initial write of x tops chain ~x. An update
// continues the chain of the write it reads.
struct Chains {
  Ints chain;     // per write
  Ints position;  // per write: its place in its chain, the top at 0
  Ints top;       // per chain: its top write

  void resize(std::int32_t events) {
    chain.resize(events);
    position.resize(events);
  }
  std::int32_t chain_of(std::int32_t w, std::int32_t loc) const { return w < 0 ? ~loc : chain[w]; }
  std::int32_t position_of(std::int32_t w) const { return w < 0 ? 0 : position[w]; }
};

// The value that an access leaves in its location: a write, by its chain and its place in it.
struct Value {
  std::int32_t access;
  std::int32_t chain;
  std::int32_t position;
};

template <Sync S>
class Scan {
 public:
  Scan(std::int32_t threads, std::int32_t locations, std::int32_t events)
      : hb_(threads, events),
        log_(threads, locations, events, S != Sync::kPoOnly),
        updated_(events, 0),
        initial_updated_(locations, 0) {
    chains_.resize(events);
    // Only where it is small beside the events; without it more edges are found, no fewer.
    if (S != Sync::kPoOnly && static_cast<std::uint64_t>(locations) * threads <= static_cast<std::uint64_t>(events)) {
      latest_.assign(locations, kNone);
      latest_clock_.widen(locations, hb_.stride());
    }
  }

  // What the clocks of so many threads take from the start, before any view is published.
  static std::uint64_t bytes_for(std::int32_t threads) {
    std::uint64_t tables = S == Sync::kOrders ? 4 : S == Sync::kAll ? 2 : 0;
    return tables * sizeof(std::int32_t) * static_cast<std::uint64_t>(threads) * threads;
  }

  void count_readers(Ints readers) { hb_.count_readers(std::move(readers)); }

  void grow(std::int32_t threads, std::int32_t locations, std::int32_t events) {
    hb_.grow(threads, events);
    log_.grow(locations, events);
    updated_.resize(events, 0);
    if (locations > static_cast<std::int32_t>(initial_updated_.size())) initial_updated_.resize(locations, 0);
    chains_.resize(events);
  }

  // Scans row e. `edge(from, to, a, e)` is called for each forced edge between chains: access a leaves a value of chain
  // `from` and happens before e, which targets chain `to`. On a breach nothing of e is recorded.
  template <typename EdgeSink>
  Breach step(const Execution& x, std::span<const std::int32_t> index, std::int32_t e, EdgeSink&& edge) {
    if (x.op[e] != kFence) {
      if (x.op[e] == kUpdate && update_flag(x, e)) return Breach::kAtomicity;
      Breach breach = look_back(x, index, e, edge);
      if (breach != Breach::kFine) return breach;
      record(x, index, e);
    }
    hb_.after(x, index, e);
    if constexpr (S != Sync::kPoOnly) {
      if (x.op[e] != kFence && !latest_.empty()) {
        latest_[x.loc[e]] = e;
        std::copy_n(hb_.clock(x.thread[e]), hb_.stride(), latest_clock_.at(x.loc[e]));
      }
    }
    return Breach::kFine;
  }

  // Hints that row e comes soon: what its scan will look up is scattered over memory.
  void prefetch(const Execution& x, std::span<const std::int32_t> index, std::int32_t e) const {
    if (x.op[e] == kFence) return;
    log_.prefetch(x.thread[e], x.loc[e]);
    std::int32_t w = x.rf[e];
    if (w < 0) return;
    __builtin_prefetch(&chains_.chain[w]);
    __builtin_prefetch(&chains_.position[w]);
    if constexpr (S != Sync::kPoOnly) {
      __builtin_prefetch(&index[w]);
      __builtin_prefetch(&x.thread[w]);
      hb_.prefetch(w);
    }
  }

  // Calls `visit(value)` for values that must not come after w, were thread t to read w (or write itself: w
  // is kNone) in loc now: enough of them to imply all. Stops when `visit` returns false.
  template <typename Visit>
  void predecessors(const Execution& x, std::span<const std::int32_t> index, std::int32_t t, std::int32_t loc,
                    std::int32_t w, Visit&& visit) const {
    const AccessLog::Slot* own = log_.find(t, loc);
    if (own != nullptr && !visit(newest(*own))) return;
    if constexpr (S != Sync::kPoOnly) {
      std::int32_t since = own == nullptr ? 0 : own->index;
      const std::int32_t* clock = hb_.clock(t);
      const std::int32_t* stamp = hb_.stamp(t);
      const std::int32_t* before_w = w < 0 ? nullptr : hb_.view(w);
      std::int32_t latest = latest_.empty() ? kNone : latest_[loc];
      bool saw_latest = latest != kNone && x.thread[latest] != t && clock[x.thread[latest]] >= index[latest];
      const std::int32_t* before_latest = saw_latest ? latest_clock_.at(loc) : nullptr;
      log_.each(loc, [&](const AccessLog::Slot& slot) {
        std::int32_t u = slot.thread;
        if (stamp[u] <= since || u == t) return true;
        std::int32_t limit = std::min(clock[u], slot.index);
        if (before_w != nullptr && limit <= before_w[u]) return true;
        if (before_latest != nullptr && limit <= before_latest[u] && slot.newest != latest) return true;
        if (slot.index <= limit) return visit(newest(slot));
        std::int32_t a = log_.newest_within(slot, limit, index);
        return a == kNone || visit(value_of(x, a));
      });
    }
  }

  bool updated(std::int32_t w, std::int32_t loc) const { return w < 0 ? initial_updated_[loc] : updated_[w]; }
  // How far the thread of e has seen each thread, e being its latest event.
  void copy_clock(const Execution& x, std::span<const std::int32_t> index, std::int32_t e, Ints& clock) const {
    clock.assign(x.threads, 0);
    if constexpr (S != Sync::kPoOnly) std::copy_n(hb_.clock(x.thread[e]), x.threads, clock.data());
    clock[x.thread[e]] = index[e];
  }
  const Chains& chains() const { return chains_; }
  std::int32_t witness_access() const { return witness_access_; }
  std::uint64_t bytes() const { return hb_.bytes(); }

 private:
  std::uint8_t& update_flag(const Execution& x, std::int32_t e) {
    return x.rf[e] < 0 ? initial_updated_[x.loc[e]] : updated_[x.rf[e]];
  }

  static Value newest(const AccessLog::Slot& slot) { return {slot.newest, slot.chain, slot.position}; }

  Value value_of(const Execution& x, std::int32_t a) const {
    std::int32_t w = x.writes(a) ? a : x.rf[a];
    return {a, chains_.chain_of(w, x.loc[a]), chains_.position_of(w)};
  }

  template <typename EdgeSink>
  Breach look_back(const Execution& x, std::span<const std::int32_t> index, std::int32_t e, EdgeSink& edge) {
    std::int32_t loc = x.loc[e];
    bool plain = x.op[e] == kWrite;
    std::int32_t w = plain ? kNone : x.rf[e];
    std::int32_t chain = plain ? static_cast<std::int32_t>(chains_.top.size()) : chains_.chain_of(w, loc);
    std::int32_t position = plain ? 0 : chains_.position_of(w);
    Breach breach = Breach::kFine;
    predecessors(x, index, x.thread[e], loc, w, [&](const Value& value) {
      if (value.chain == chain) {
        if (value.position <= position) return true;
        breach = Breach::kBackInChain;
      } else if (chain < 0) {
        breach = Breach::kBeforeInitial;
      } else {
        if (value.chain >= 0) edge(value.chain, chain, value.access, e);
        return true;
      }
      witness_access_ = value.access;
      return false;
    });
    return breach;
  }

  void record(const Execution& x, std::span<const std::int32_t> index, std::int32_t e) {
    std::int32_t loc = x.loc[e];
    if (x.op[e] == kWrite) {
      chains_.chain[e] = static_cast<std::int32_t>(chains_.top.size());
      chains_.position[e] = 0;
      chains_.top.push_back(e);
    } else if (x.op[e] == kUpdate) {
      update_flag(x, e) = 1;
      chains_.chain[e] = chains_.chain_of(x.rf[e], loc);
      chains_.position[e] = chains_.position_of(x.rf[e]) + 1;
    }
    Value left = value_of(x, e);
    log_.append(x.thread[e], loc, e, index[e], left.chain, left.position);
  }

  HappensBefore<S> hb_;
  AccessLog log_;
  Chains chains_;
  Large<std::uint8_t> updated_;          // per write: some update reads it
  Large<std::uint8_t> initial_updated_;  // per location, for its initial write
  Ints latest_;                          // per location: the access scanned last
  ClockTable latest_clock_{0, 0};        // per location: what that access had seen
  std::int32_t witness_access_ = kNone;
};

}  // namespace porf::coherence
