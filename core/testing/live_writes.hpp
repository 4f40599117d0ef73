// WRA in a run that only goes forward: happens-before alone orders the writes of a location. A thread may read a write
// unless another one that it knows of comes after it. So what nobody may read any more hides nothing that others do not
// hide, and can be forgotten.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/coherence.hpp"
#include "testing/clocks.hpp"

namespace porf::testing {

class LiveWrites {
 public:
  static constexpr explore::Sync kSync = explore::Sync::kAll;
  static constexpr bool kOrdersFences = false;
  static constexpr std::int32_t kMostThreads = 1 << 16;
  using Judge = explore::Coherence<kSync, true, 16>;

  void begin(const explore::Graph&) {
    wrote_.clear();
    taken_.clear();
    initial_taken_.clear();
  }

  // The writes of a location that a thread may read next: of each other thread's, the newest.
  void sources(const explore::Graph& g, const Clocks& clocks, std::int32_t t, std::int32_t loc,
               std::vector<explore::Source>& out) {
    look(g, clocks, loc, clocks.of(t));
    if (seen_.empty()) out.push_back({kInitial, !is_initial_taken(loc)});
    each_open(g, clocks, loc, [&](std::int32_t w) { out.push_back({w, !taken_[w]}); });
  }

  void take(const explore::Graph& g, const Clocks&, std::int32_t e) {
    if (static_cast<std::size_t>(e) >= wrote_.size()) {
      wrote_.resize(static_cast<std::size_t>(e + 1) * 2);
      taken_.resize(wrote_.size());
    }
    const explore::Event& v = g[e];
    taken_[e] = false;
    wrote_[e] = v.writes() ? e : v.loc >= 0 && v.same >= 0 ? wrote_[v.same] : -1;
    if (v.op != kUpdate) return;
    if (v.rf >= 0) {
      taken_[v.rf] = true;
    } else {
      if (static_cast<std::size_t>(v.loc) >= initial_taken_.size())
        initial_taken_.resize(static_cast<std::size_t>(v.loc) + 1);
      initial_taken_[v.loc] = true;
    }
  }

  // Marks the writes that a thread may read.
  void keep(const explore::Graph& g, std::uint64_t, Clocks& clocks, std::vector<char>& kept) {
    for (std::int32_t t = 0; t < g.stride; ++t) {
      if (!g.exists[t] || g.pending(t).next == explore::Next::kEnded) continue;
      const Count* hb = clocks.before_next(g, t);
      for (std::size_t x = 0; x < g.at.size(); ++x) {
        if (g.at[x] < 0) continue;
        look(g, clocks, static_cast<std::int32_t>(x), hb);
        each_open(g, clocks, static_cast<std::int32_t>(x),
                  [&](std::int32_t w) { kept[static_cast<std::size_t>(w)] = 1; });
      }
    }
  }

  void rename(const explore::Graph& g, std::uint64_t, const Clocks&, const std::vector<std::int32_t>& renamed) {
    std::size_t size = static_cast<std::size_t>(g.size()) * 2;
    std::vector<std::int32_t> wrote(size, -1);
    std::vector<char> taken(size);
    for (std::size_t e = 0; e < renamed.size(); ++e) {
      if (renamed[e] < 0) continue;
      auto n = static_cast<std::size_t>(renamed[e]);
      const explore::Event& v = g[renamed[e]];
      wrote[n] = v.writes() ? renamed[e] : v.loc >= 0 && v.same >= 0 ? wrote[static_cast<std::size_t>(v.same)] : -1;
      taken[n] = taken_[e];
    }
    wrote_ = std::move(wrote);
    taken_ = std::move(taken);
  }

 private:
  static constexpr std::int32_t kMostSources = 256;  // of one thread

  bool is_initial_taken(std::int32_t loc) const {
    return static_cast<std::size_t>(loc) < initial_taken_.size() && initial_taken_[loc] != 0;
  }

  // Of each thread the last write of a location that a clock counts.
  void look(const explore::Graph& g, const Clocks& clocks, std::int32_t loc, const Count* hb) {
    seen_.clear();
    g.each_last_of(loc, [&](std::int32_t last, std::int32_t u) {
      std::int32_t e = g.last_of(last, [&](std::int32_t o) { return clocks.count_before(o) < hb[u]; });
      if (e >= 0 && wrote_[e] >= 0) seen_.push_back(wrote_[e]);
    });
  }

  // The writes that none of those comes after. What comes before one that is hidden is hidden.
  template <typename Visit>
  void each_open(const explore::Graph& g, const Clocks& clocks, std::int32_t loc, const Visit& visit) const {
    g.each_last_of(loc, [&](std::int32_t last, std::int32_t u) {
      std::int32_t left = kMostSources;
      for (std::int32_t w = wrote_[last]; w >= 0 && left-- > 0; w = g[w].same >= 0 ? wrote_[g[w].same] : -1) {
        for (std::int32_t s : seen_)
          if (s != w && clocks.message(s)[u] > clocks.count_before(w)) return;
        visit(w);
      }
    });
  }

  std::vector<std::int32_t> wrote_;  // event -> the last write of its thread at its location, not after it
  std::vector<char> taken_;          // write -> whether an update has read it; likewise,
  std::vector<char> initial_taken_;  // the initial value of a location
  std::vector<std::int32_t> seen_;
};

}  // namespace porf::testing
