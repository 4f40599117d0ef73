// Consistency under any model file, kept along the path of an exploration: the axioms are evaluated, and a
// witness, a modification order under which they hold, goes with each graph. What is added to a graph mostly
// fits into the witness of before.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "explore/engine.hpp"
#include "explore/evaluation.hpp"
#include "explore/grown.hpp"
#include "explore/linear.hpp"
#include "explore/run.hpp"
#include "explore/run_compiled.hpp"
#include "explore/runner.hpp"
#include "explore/walks.hpp"

namespace porf::explore {
namespace {

class Axioms {
 public:
  static constexpr bool kFastCanonical = false;

  // Throws relations::Spent when the budget ends; then the exploration does, too.
  Axioms(const Runner& runner, const Settings& settings, Budget& budget)
      : runner_(runner),
        suspect_(settings.suspect),
        two_events_(settings.two_events),
        walks_(*settings.file),
        evaluation_(*settings.file, settings.two_events, budget) {}

  void clear(std::int32_t level) {
    while (static_cast<std::size_t>(level) >= levels_.size()) levels_.emplace_back(Grown(walks_, two_events_));
    State& s = levels_[level];
    for (auto& line : s.witness) line.clear();
    s.witness.resize(static_cast<std::size_t>(runner_.memory().size()));
    s.valid = walks_.usable();
    if (walks_.usable()) s.grown.clear(runner_.threads(), runner_.memory().size());
  }

  bool rebuild(const Graph& g, std::int32_t level, std::int32_t fresh) {
    clear(level);
    for (std::int32_t e : g.arrival) add(g, level, e);
    State& s = fit(level);
    return s.valid || fresh == 0 || decide(g, s, g.arrival.back());
  }

  void push(const Graph& g, std::int32_t level, std::int32_t e) {
    add(g, level, e);
    State& s = fit(level);
    if (suspect_ && !g[e].reads() && !is_hidden(g[e]) && !s.valid) refused_ += !decide(g, s, e);
  }

  bool try_push(const Graph& g, std::int32_t level, std::int32_t e) {
    add(g, level, e);
    State& s = fit(level);
    if (s.valid || decide(g, s, e)) return true;
    pop(g, level, e);
    return false;
  }

  // What is left of a witness without the last event is a witness of what is left of the graph.
  void pop(const Graph& g, std::int32_t level, std::int32_t e) {
    State& s = fit(level);
    if (walks_.usable()) s.grown.pop(e);
    if (g[e].loc >= 0) std::erase(s.witness[g[e].loc], e);
  }

  void sources(const Graph& g, std::int32_t level, std::int32_t t, std::int32_t loc, std::vector<Source>& out) {
    if (std::optional<Source> found = source(g, level, t, loc, kInitial)) out.push_back(*found);
    for (std::int32_t w = g.last_at(loc); w >= 0; w = g[w].at) {
      if (!g[w].writes()) continue;
      if (std::optional<Source> found = source(g, level, t, loc, w)) out.push_back(*found);
    }
  }

  // Whether the thread's next event may read from a write.
  std::optional<Source> source(const Graph& g, std::int32_t level, std::int32_t t, std::int32_t loc, std::int32_t w) {
    const Pending& p = g.pending(t);
    std::int64_t value = runner_.value(g, loc, w), written = 0;
    if (p.next == Next::kLock && value != 0) return std::nullopt;
    const bool writes = Machine::modify(p, value, written);
    Event event;
    event.thread = t;
    event.loc = loc;
    event.rf = w;
    event.op = kUpdate;
    event.order = p.order;
    event.depends = p.depends;
    if (writes && consistent(g, level, event)) return Source{w, true};
    event.op = kRead;
    if (p.next == Next::kCas && !writes) event.order = p.failure;
    return consistent(g, level, event) ? std::optional(Source{w, false}) : std::nullopt;
  }

  // The initial value comes first of all sources; a write that is not there is none.
  Canonical settled(const Graph& g, std::int32_t, const Cut& cut, std::int32_t d) const {
    const Event& v = g[d];
    if (v.rf == kInitial && !v.conflict) return Canonical::kYes;
    const bool there = v.rf != cut.a && (v.rf < d || g.before(v.rf, cut.prefix));
    return v.rf == kInitial || there ? Canonical::kUnknown : Canonical::kNo;
  }

  std::uint64_t orders(const Graph& g, std::int32_t level, std::vector<WriteOrder>* all) {
    std::uint64_t count = 0;
    evaluation_.load(g);
    evaluation_.orders(fit(level).witness, [&](const Witness& witness) {
      ++count;
      if (all == nullptr) return;
      all->emplace_back();
      for (const auto& line : witness) all->back().insert(all->back().end(), line.begin(), line.end());
    });
    return count;
  }

  // How often a suspect file did not allow an event that does not read.
  std::uint64_t refused() const { return refused_; }

 private:
  // A graph, its witness, and whether that is known to be one.
  struct State {
    explicit State(Grown g) : grown(std::move(g)) {}
    Witness witness;
    bool valid = false;
    Grown grown;
  };

  State& fit(std::int32_t level) {
    State& s = levels_[level];
    const auto locations = static_cast<std::size_t>(runner_.memory().size());
    if (s.witness.size() < locations) s.witness.resize(locations);
    return s;
  }

  // The witness stays one if the new event fits into it. What does not read comes last, and does.
  void add(const Graph& g, std::int32_t level, std::int32_t e) {
    State& s = fit(level);
    insert(g, s.witness, e);
    if (!walks_.usable()) {
      s.valid = false;
      return;
    }
    s.grown.push(g, e, g[e]);
    if (is_hidden(g[e])) return;
    s.valid = s.valid && s.grown.whole() && ((!g[e].reads() && !suspect_) || s.grown.holds(s.witness, e));
  }

  // The event that was added last does not fit into the witness, or that was none.
  bool decide(const Graph& g, State& s, std::int32_t newest) {
    if (walks_.usable() && s.grown.whole() && s.grown.refuted(s.witness, newest)) return false;
    evaluation_.load(g);
    const bool found = evaluation_.consistent(s.witness, newest);
    s.valid = found && walks_.usable();
    return found;
  }

  // Whether an event, the next of its thread, is consistent with what is there. If the event fits into a
  // witness, that is seen at once, and mostly so if it fits into none.
  bool consistent(const Graph& g, std::int32_t level, const Event& event) {
    State& s = fit(level);
    const std::int32_t e = g.size();
    auto& line = s.witness[event.loc];
    if (event.op == kUpdate) insert_update(line, e, event.rf);
    bool found = false, refuted = false;
    if (walks_.usable() && s.grown.whole()) {
      s.grown.push(g, e, event);
      found = s.valid && s.grown.whole() && s.grown.holds(s.witness, e);
      refuted = !found && s.grown.whole() && s.grown.refuted(s.witness, e);
      s.grown.pop(e);
    }
    if (!found && !refuted) {
      evaluation_.load_next(g, event);
      found = evaluation_.consistent(s.witness, e);
      s.valid |= found && walks_.usable();
    }
    std::erase(line, e);
    return found;
  }

  static void insert(const Graph& g, Witness& witness, std::int32_t e) {
    if (!g[e].writes()) return;
    auto& line = witness[g[e].loc];
    if (g[e].op == kUpdate)
      insert_update(line, e, g[e].rf);
    else
      line.push_back(e);
  }

  static void insert_update(std::vector<std::int32_t>& line, std::int32_t e, std::int32_t source) {
    auto after = source < 0 ? line.begin() : std::find(line.begin(), line.end(), source);
    if (source >= 0 && after != line.end()) ++after;
    line.insert(after, e);
  }

  const Runner& runner_;
  bool suspect_, two_events_;
  std::uint64_t refused_ = 0;
  Walks walks_;
  std::deque<State> levels_;
  Evaluation evaluation_;
};

}  // namespace

template <>
Result explore_under<EngineKind::kAxioms>(const Request& request, const Sizes& sizes) {
  const Settings& settings = request.settings;
  if (!settings.suspect && sizes.writes < 3 && Linear(Walks(*settings.file), settings.two_events).usable())
    return (sizes.writes == 0   ? run_compiled_small
            : sizes.writes == 1 ? run_compiled_medium
                                : run_compiled_large)(request, sizes);
  return run<Axioms>(request, sizes);
}

}  // namespace porf::explore
