// What keeps a run consistent and tells which events conflict: an engine of exploration, for runs of some thousand
// events; or, under the coherence family, clocks and chains that forget what nobody can read any more.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "explore/coherence.hpp"
#include "explore/leaf.hpp"
#include "explore/races.hpp"
#include "explore/run.hpp"
#include "testing/clocks.hpp"
#include "testing/last_accesses.hpp"
#include "testing/live_chains.hpp"
#include "testing/testing.hpp"

namespace porf::testing {

template <explore::Engine Consistency>
class EngineKeeper {
 public:
  EngineKeeper(explore::Runner& runner, const explore::Settings& settings, const TestSettings&, Budget& budget)
      : engine_(explore::make_engine<Consistency>(runner, settings, budget)),
        races_(runner.memory(), runner.has_conflicts(), settings.races, true, nullptr) {}

  void begin(const explore::Graph& g) {
    engine_.clear(0);
    races_.load(g, 0, 0);
  }
  void sources(const explore::Graph& g, std::int32_t t, std::int32_t loc, std::vector<explore::Source>& out) {
    engine_.sources(g, 0, t, loc, out);
  }
  explore::Conflict conflict(const explore::Graph& g, std::int32_t e) { return races_.push(g, 0, e); }
  void take(const explore::Graph& g, std::int32_t e) { engine_.push(g, 0, e); }
  void leaf(explore::Recorder& recorder, explore::Graph& g, const std::vector<std::int32_t>& path) {
    explore::record_leaf(engine_, recorder, g, 0, path, 1);
  }
  Count count_before(const explore::Graph& g, std::int32_t e) const { return static_cast<Count>(g[e].index); }
  bool is_long(const explore::Graph&) const { return false; }
  void forget(explore::Graph&) {}

 private:
  Consistency engine_;
  explore::Races races_;
};

template <explore::Sync kSync>
class LiveKeeper {
 public:
  LiveKeeper(explore::Runner& runner, const explore::Settings& settings, const TestSettings& how, Budget&)
      : runner_(runner),
        window_(how.window),
        clocks_(kSync),
        accesses_(runner.memory(), runner.has_conflicts(), settings.races) {
    if (settings.races != kSync && runner.has_conflicts()) race_clocks_.emplace(settings.races);
  }

  void begin(const explore::Graph& g) {
    if (g.stride > LiveChains::kMostThreads) throw explore::Grow{explore::Grow::kWrites};
    clocks_.begin(g);
    if (race_clocks_) race_clocks_->begin(g);
    chains_.begin(g);
    accesses_.begin(g);
    next_ = window_;
    forgot_ = false;
  }
  void sources(const explore::Graph& g, std::int32_t t, std::int32_t loc, std::vector<explore::Source>& out) {
    chains_.sources(g, t, loc, clocks_.of(t), out);
  }
  explore::Conflict conflict(const explore::Graph& g, std::int32_t e) {
    // Places that overlap are what only exploration's detector knows of.
    if (g[e].loc >= 0 && !runner_.memory().rivals(g[e].loc).empty()) throw explore::Grow{explore::Grow::kWrites};
    if (!runner_.has_conflicts()) return {};
    return accesses_.find(g, e, (race_clocks_ ? *race_clocks_ : clocks_).after(g, e));
  }
  void take(const explore::Graph& g, std::int32_t e) {
    clocks_.take(g, e);
    if (race_clocks_) race_clocks_->take(g, e);
    chains_.take(g, e, clocks_.of(g[e].thread));
    accesses_.take(g, e);
  }
  // Whether those who wait do so for ever is asked of exploration's engine.
  void leaf(explore::Recorder& recorder, explore::Graph& g, const std::vector<std::int32_t>& path) {
    bool forever = false;
    if (recorder.asks_forever(g) && !forgot_) {
      Judge judge(runner_.rank());
      judge.rebuild(g, 0, 0);
      forever = explore::Fairness(runner_, judge, 0).waits_forever(g);
    }
    recorder.leaf(g, path, forever);
  }

  Count count_before(const explore::Graph&, std::int32_t e) const { return chains_.count_before(e); }
  bool is_long(const explore::Graph& g) const { return g.size() >= next_; }
  void forget(explore::Graph& g);

 private:
  using Judge = explore::Coherence<kSync, false, 16>;
  static constexpr std::int32_t kSmall = 1024;  // events; a larger graph must double before it is looked through
  static constexpr std::int32_t kRecent = 40;   // of a thread, which are not forgotten

  explore::Runner& runner_;
  std::int32_t window_;  // events, before the first look at what can be forgotten
  Clocks clocks_;
  std::optional<Clocks> race_clocks_;  // if races are judged otherwise
  LiveChains chains_;
  LastAccesses accesses_;
  std::int32_t next_ = 0;
  bool forgot_ = false;
};

// Marks what must stay for reasons of the machine: the last events of each thread; starts, joins and ends of objects;
// the last meeting of a thread at each barrier, and what was before it.
void keep_for_machine(const explore::Graph& g, std::int32_t recent, std::vector<char>& kept);

// The graph of the marked events. Those that are gone are counted as forgotten; `renamed` gets the new numbers.
void restrict_to_kept(explore::Graph& g, const std::vector<char>& kept, std::vector<std::int32_t>& renamed);

// The threads that may still read.
Threads alive_in(const explore::Graph& g);

template <explore::Sync kSync>
void LiveKeeper<kSync>::forget(explore::Graph& g) {
  std::vector<char> kept(static_cast<std::size_t>(g.size()), 0);
  std::vector<std::int32_t> renamed;
  Threads alive = alive_in(g);
  chains_.keep(g, alive, clocks_, kept);
  accesses_.keep(kept);
  keep_for_machine(g, std::min(kRecent, window_), kept);
  restrict_to_kept(g, kept, renamed);
  chains_.rename(g, alive, renamed);
  clocks_.rename(renamed, g.size());
  if (race_clocks_) race_clocks_->rename(renamed, g.size());
  accesses_.rename(renamed);
  next_ = g.size() + std::max(window_, g.size() - kSmall);
  forgot_ = true;
}

}  // namespace porf::testing
