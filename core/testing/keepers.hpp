// What keeps a run consistent and tells which events conflict: an engine of exploration, for runs of some hundred
// events; or what only goes forward, and forgets what nobody can read any more.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "explore/coherence.hpp"
#include "explore/leaf.hpp"
#include "explore/races.hpp"
#include "explore/rc11.hpp"
#include "explore/run.hpp"
#include "testing/choices.hpp"
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

  void begin(const explore::Graph&) {
    engine_.clear(0);
    races_.load(0, 0);
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
  void drift(const explore::Graph&, Choices&) {}
  bool is_long(const explore::Graph&) const { return false; }
  void forget(explore::Graph&) {}

 private:
  Consistency engine_;
  explore::Races races_;
};

// The coherence family; with SC events, if those are in the order in which they come.
template <explore::Sync kHappensBefore, bool kSc = false>
class LiveCoherence : public LiveChains {
 public:
  static constexpr explore::Sync kSync = kHappensBefore;
  static constexpr bool kOrdersFences = kSc;
  using Judge = std::conditional_t<kSc, explore::Rc11<kSync, 16>, explore::Coherence<kSync, false, 16>>;
};

// `Order`: which writes a read may take, and what has to be remembered for that.
template <typename Order>
class LiveKeeper {
 public:
  LiveKeeper(explore::Runner& runner, const explore::Settings& settings, const TestSettings& how, Budget& budget)
      : runner_(runner),
        settings_(settings),
        budget_(budget),
        window_(how.window),
        clocks_(Order::kSync, Order::kOrdersFences),
        accesses_(runner.memory(), runner.has_conflicts(), settings.races) {
    bool same = settings.races == Order::kSync && !Order::kOrdersFences;
    if (!same && runner.has_conflicts()) race_clocks_.emplace(settings.races);
  }

  void begin(const explore::Graph& g) {
    if (g.stride > Order::kMostThreads) throw explore::Grow{explore::Grow::kWrites};
    clocks_.begin(g);
    if (race_clocks_) race_clocks_->begin(g);
    order_.begin(g);
    accesses_.begin(g);
    next_ = window_;
    forgot_ = false;
  }
  void sources(const explore::Graph& g, std::int32_t t, std::int32_t loc, std::vector<explore::Source>& out) {
    order_.sources(g, clocks_, t, loc, out);
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
    order_.take(g, clocks_, e);
    accesses_.take(g, e);
  }
  // What may happen between two events.
  void drift(const explore::Graph& g, Choices& choices) {
    if constexpr (requires { order_.drift(g, choices); }) order_.drift(g, choices);
  }
  // Whether those who wait do so for ever is asked of exploration's engine.
  void leaf(explore::Recorder& recorder, explore::Graph& g, const std::vector<std::int32_t>& path) {
    bool forever = false;
    if (recorder.asks_forever(g) && !forgot_ && g.size() <= kJudged) {
      auto judge = explore::make_engine<typename Order::Judge>(runner_, settings_, budget_);
      judge.rebuild(g, 0, 0);
      forever = explore::Fairness(runner_, judge, 0).waits_forever(g);
    }
    recorder.leaf(g, path, forever);
  }

  Count count_before(const explore::Graph&, std::int32_t e) const { return clocks_.count_before(e); }
  bool is_long(const explore::Graph& g) const { return g.size() >= next_; }
  void forget(explore::Graph& g);

 private:
  static constexpr std::int32_t kSmall = 1024;   // events; a larger graph must double before it is looked through
  static constexpr std::int32_t kRecent = 40;    // of a thread, which are not forgotten
  static constexpr std::int32_t kJudged = 1000;  // events of a graph that an engine of exploration may be asked about

  explore::Runner& runner_;
  const explore::Settings& settings_;
  Budget& budget_;
  std::int32_t window_;  // events, before the first look at what can be forgotten
  Clocks clocks_;
  std::optional<Clocks> race_clocks_;  // if races are judged otherwise
  Order order_;
  LastAccesses accesses_;
  std::int32_t next_ = 0;
  bool forgot_ = false;
};

// Marks what must stay for reasons of the machine: the last events of each thread; starts, joins and ends of objects;
// the last meeting of a thread at each barrier, and what was before it.
void keep_for_machine(const explore::Graph& g, std::int32_t recent, std::vector<char>& kept);

// The graph of the marked events. Those that are gone are counted as forgotten; `renamed` gets the new numbers.
void restrict_to_kept(explore::Graph& g, const std::vector<char>& kept, std::vector<std::int32_t>& renamed);

// The threads that may still read, of the first 64.
Threads alive_in(const explore::Graph& g);

template <typename Order>
void LiveKeeper<Order>::forget(explore::Graph& g) {
  std::vector<char> kept(static_cast<std::size_t>(g.size()), 0);
  std::vector<std::int32_t> renamed;
  Threads alive = alive_in(g);
  order_.keep(g, alive, clocks_, kept);
  accesses_.keep(kept);
  keep_for_machine(g, std::min(kRecent, window_), kept);
  restrict_to_kept(g, kept, renamed);
  order_.rename(g, alive, clocks_, renamed);
  clocks_.rename(renamed, g.size());
  if (race_clocks_) race_clocks_->rename(renamed, g.size());
  accesses_.rename(renamed);
  next_ = g.size() + std::max(window_, g.size() - kSmall);
  forgot_ = true;
}

}  // namespace porf::testing
