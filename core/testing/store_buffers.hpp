// TSO in a run that only goes forward, and is long: as a machine does it, with a buffer of writes for each thread. A
// write stays in its buffer until its thread waits for it (a fence, an update, a start, a join, a barrier), another
// thread chooses to read it or one after it, or by chance.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "explore/orders.hpp"
#include "testing/choices.hpp"
#include "testing/clocks.hpp"

namespace porf::testing {

class StoreBuffers {
 public:
  static constexpr explore::Sync kSync = explore::Sync::kNone;
  static constexpr bool kOrdersFences = false;
  static constexpr std::int32_t kMostThreads = 1 << 16;
  using Judge = explore::Orders<explore::Kept::kTso, 16>;

  void begin(const explore::Graph& g) {
    memory_.clear();
    buffers_.assign(static_cast<std::size_t>(g.stride), {});
  }

  // What a thread finds in its own buffer or else in memory; or a write that another one has in its buffer, and which
  // leaves that now.
  void sources(const explore::Graph& g, const Clocks&, std::int32_t t, std::int32_t loc,
               std::vector<explore::Source>& out) const {
    std::int32_t own = newest_in(g, t, loc);
    out.push_back({own >= 0 ? own : in_memory(loc), true});
    for (std::int32_t u = 0; u < g.stride; ++u)
      if (u != t)
        for (std::int32_t w : buffers_[u])
          if (g[w].loc == loc) out.push_back({w, true});
  }

  void take(const explore::Graph& g, const Clocks&, std::int32_t e) {
    const explore::Event& v = g[e];
    if (v.op == kWrite) {
      buffers_[v.thread].push_back(e);
      if (buffers_[v.thread].size() > kMostBuffered) drain_one(g, v.thread);
      return;
    }
    bool waits = v.op >= kFence && v.op != explore::kFreeOp && v.op != explore::kChooseOp;
    if (v.op == kUpdate || waits) drain(g, v.thread);
    if (v.reads() && v.rf >= 0 && g[v.rf].thread != v.thread) reach(g, v);
    if (v.op == kUpdate) store(g, e);
    if (v.op == explore::kJoinOp) drain(g, v.other);
    if (v.op == explore::kBarrierOp)
      for (std::int32_t u = 0; u < g.stride; ++u)
        if (g.exists[u] && g.pending(u).next == explore::Next::kBarrier && g.pending(u).loc == v.other) drain(g, u);
  }

  // Writes may leave their buffers at any time.
  void drift(const explore::Graph& g, Choices& choices) {
    while (find_full(g) && choices.leaves()) drain_one(g, full_[choices.way(full_.size())]);
  }

  void keep(const explore::Graph&, std::uint64_t, Clocks&, std::vector<char>& kept) const {
    for (std::int32_t w : memory_)
      if (w >= 0) kept[static_cast<std::size_t>(w)] = 1;
    for (const Buffer& buffer : buffers_)
      for (std::int32_t w : buffer) kept[static_cast<std::size_t>(w)] = 1;
  }

  void rename(const explore::Graph&, std::uint64_t, const Clocks&, const std::vector<std::int32_t>& renamed) {
    auto name = [&](std::int32_t& w) {
      if (w >= 0) w = renamed[static_cast<std::size_t>(w)];
    };
    std::for_each(memory_.begin(), memory_.end(), name);
    for (Buffer& buffer : buffers_) std::for_each(buffer.begin(), buffer.end(), name);
  }

 private:
  bool find_full(const explore::Graph& g) {
    full_.clear();
    for (std::int32_t t = 0; t < g.stride; ++t)
      if (!buffers_[t].empty()) full_.push_back(t);
    return !full_.empty();
  }

  using Buffer = std::deque<std::int32_t>;

  static constexpr std::size_t kMostBuffered = 64;  // writes of one thread

  std::int32_t in_memory(std::int32_t loc) const {
    return static_cast<std::size_t>(loc) < memory_.size() ? memory_[loc] : kInitial;
  }

  std::int32_t newest_in(const explore::Graph& g, std::int32_t t, std::int32_t loc) const {
    const Buffer& buffer = buffers_[t];
    auto w = std::find_if(buffer.rbegin(), buffer.rend(), [&](std::int32_t e) { return g[e].loc == loc; });
    return w != buffer.rend() ? *w : -1;
  }

  void store(const explore::Graph& g, std::int32_t w) {
    auto loc = static_cast<std::size_t>(g[w].loc);
    if (loc >= memory_.size()) memory_.resize(loc + 1, kInitial);
    memory_[loc] = w;
  }

  void drain_one(const explore::Graph& g, std::int32_t t) {
    store(g, buffers_[t].front());
    buffers_[t].pop_front();
  }
  void drain(const explore::Graph& g, std::int32_t t) {
    while (!buffers_[t].empty()) drain_one(g, t);
  }
  void drain_to(const explore::Graph& g, std::int32_t t, std::int32_t w) {
    while (buffers_[t].front() != w) drain_one(g, t);
    drain_one(g, t);
  }

  // What a thread reads of another one is in memory: if it was in a buffer, then after what the reader has written
  // there.
  void reach(const explore::Graph& g, const explore::Event& v) {
    std::int32_t writer = g[v.rf].thread;
    const Buffer& buffer = buffers_[writer];
    if (std::find(buffer.begin(), buffer.end(), v.rf) == buffer.end()) return;
    if (std::int32_t own = newest_in(g, v.thread, v.loc); own >= 0) drain_to(g, v.thread, own);
    drain_to(g, writer, v.rf);
  }

  std::vector<std::int32_t> memory_;  // location -> the write that it holds
  std::vector<Buffer> buffers_;       // thread -> its writes that are not in memory, the oldest first
  std::vector<std::int32_t> full_;    // threads
};

}  // namespace porf::testing
