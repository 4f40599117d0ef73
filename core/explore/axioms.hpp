// Consistency under any model file: a graph is consistent if some modification order makes the file's axioms
// hold. Such an order, the *witness*, is kept along the path. What is added tries it first; only if it does
// not do, the generic procedure looks for another.
#pragma once

#include <cstdint>
#include <vector>

#include "budget.hpp"
#include "explore/engine.hpp"
#include "explore/explore.hpp"
#include "explore/graph.hpp"
#include "explore/runner.hpp"
#include "relations/base.hpp"
#include "relations/engine.hpp"

namespace porf::explore {

class Axioms {
 public:
  static constexpr bool kFastCanonical = false;

  // Throws relations::Spent when the budget ends; then the exploration does, too.
  Axioms(const Runner& runner, const Settings& settings, Budget& budget);
  Axioms(const Axioms&) = delete;
  Axioms& operator=(const Axioms&) = delete;

  void clear(std::int32_t level);
  bool rebuild(const Graph& g, std::int32_t level, std::int32_t fresh);
  void push(const Graph& g, std::int32_t level, std::int32_t e);
  bool try_push(const Graph& g, std::int32_t level, std::int32_t e);
  // What is left of a witness without the last event is a witness of what is left of the graph.
  void pop(const Graph& g, std::int32_t level, std::int32_t e);
  void sources(const Graph& g, std::int32_t level, std::int32_t t, std::int32_t loc,
               std::vector<Source>& out);

  // How often a suspect file did not allow an event that does not read.
  std::uint64_t refused() const { return refused_; }

 private:
  using Witness = std::vector<std::vector<std::int32_t>>;  // location -> its writes in modification order

  Witness& fit(std::int32_t level);
  static void insert(const Graph& g, Witness& witness, std::int32_t e);
  static void insert_update(std::vector<std::int32_t>& line, std::int32_t e, std::int32_t source);
  // The columns of a graph, and room for one event more.
  void load(const Graph& g);
  void add_row(const Event& event, std::int32_t before);
  std::int32_t location(std::int32_t loc);
  // Whether what is loaded is consistent; the witness becomes one of it, or stays.
  bool consistent(Witness& witness);
  void apply(const Witness& witness);
  void extract(Witness& witness) const;

  const Runner& runner_;
  bool two_events_, suspect_;
  Budget& budget_;
  std::uint64_t instructions_;
  std::uint64_t refused_ = 0;
  std::vector<Witness> levels_;

  // What is loaded: rows are the graph's events.
  std::int32_t threads_ = 0;
  std::vector<std::int32_t> thread_, loc_, rf_;
  std::vector<std::uint8_t> op_, order_;
  std::vector<relations::Pair> across_;
  std::vector<std::int32_t> dense_, used_;  // location -> its number among those that are used, and back
  relations::Events events_;
  relations::Engine engine_;
};

}  // namespace porf::explore
