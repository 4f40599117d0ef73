// Consistency under any model file, kept along the path of an exploration: the axioms are evaluated, and a
// witness, a modification order under which they hold, goes with each graph. What is added to a graph mostly
// fits into the witness of before.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "explore/engine.hpp"
#include "explore/evaluation.hpp"
#include "explore/grown.hpp"
#include "explore/runner.hpp"
#include "explore/walks.hpp"

namespace porf::explore {

class Axioms {
 public:
  static constexpr bool kFastCanonical = false;

  // Throws relations::Spent when the budget ends; then the exploration does, too.
  Axioms(const Runner& runner, const Settings& settings, Budget& budget)
      : runner_(runner),
        suspect_(settings.suspect),
        two_events_(settings.two_events),
        walks_(*settings.file),
        evaluation_(settings, budget) {}

  void clear(std::int32_t level);
  bool rebuild(const Graph& g, std::int32_t level, std::int32_t fresh);
  void push(const Graph& g, std::int32_t level, std::int32_t e);
  bool try_push(const Graph& g, std::int32_t level, std::int32_t e);
  // What is left of a witness without the last event is a witness of what is left of the graph.
  void pop(const Graph& g, std::int32_t level, std::int32_t e);
  void sources(const Graph& g, std::int32_t level, std::int32_t t, std::int32_t loc,
               std::vector<Source>& out);
  // Whether the thread's next event may read from a write.
  std::optional<Source> source(const Graph& g, std::int32_t level, std::int32_t t, std::int32_t loc,
                               std::int32_t w);
  // The initial value comes first of all sources; a write that is not there is none.
  Canonical settled(const Graph& g, std::int32_t level, const Cut& cut, std::int32_t d) const;
  std::uint64_t orders(const Graph& g, std::int32_t level, std::vector<WriteOrder>* all);

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

  State& fit(std::int32_t level);
  void add(const Graph& g, std::int32_t level, std::int32_t e);
  bool decide(const Graph& g, State& s, std::int32_t newest);
  // Whether an event, the next of its thread, is consistent with what is there.
  bool consistent(const Graph& g, std::int32_t level, const Event& event);
  static void insert(const Graph& g, Witness& witness, std::int32_t e);
  static void insert_update(std::vector<std::int32_t>& line, std::int32_t e, std::int32_t source);

  const Runner& runner_;
  bool suspect_, two_events_;
  std::uint64_t refused_ = 0;
  Walks walks_;
  std::deque<State> levels_;
  Evaluation evaluation_;
};

}  // namespace porf::explore
