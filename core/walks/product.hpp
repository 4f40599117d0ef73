// The walks of one automaton through an execution as a graph: an event and a state of the automaton are a node, and the
// edges are the steps. A cycle through a hub is one of the relation.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "budget.hpp"
#include "walks/steps.hpp"

namespace porf::walks {

using StepLists = std::vector<Steps>;  // by number

// A place of a walk: an event, and the state that it was reached in.
struct Place {
  std::int32_t event, state;
};

class Product {
 public:
  // `everywhere`: with the hub of every event, and not only of those at which something ends.
  Product(const Nodes& nodes, const Automaton& automaton, const StepLists& steps, bool everywhere, Budget& budget);

  std::int32_t size() const { return nodes_.size() * states_; }
  std::int32_t number(std::int32_t event, std::int32_t state) const { return event * states_ + state; }
  Place place(std::int32_t v) const { return {v / states_, v % states_}; }
  bool is_hub(std::int32_t v) const { return v % states_ == states_ - 1; }

  // The places in an order that respects the edges, without those that are on cycles or after them.
  const Ints& order() const { return order_; }
  bool acyclic() const { return placed_ == present_; }

  template <typename Visit>
  void each_target(std::int32_t v, Visit&& visit) const {
    for (std::uint32_t i = start_[v]; i < start_[v + 1]; ++i) visit(target_[i]);
  }

  // Cycles that break the axiom, each from a hub on; at most so many, though one if there is one.
  std::vector<std::vector<Place>> cycles(std::size_t most, Budget& budget) const;

 private:
  template <typename Visit>
  void each_edge(const StepLists& steps, std::int32_t v, Visit&& visit) const;
  void sort(Budget& budget);
  Ints components(Budget& budget) const;
  std::vector<Place> cycle_through(std::int32_t hub, const Ints& component, Ints& parent, Ints& touched,
                                   Budget& budget) const;

  const Nodes& nodes_;
  const Automaton& automaton_;
  std::int32_t states_;
  Large<std::uint8_t> there_;  // per place: something leads to it, or begins there
  Large<std::uint32_t> start_;
  Ints target_;
  Ints order_;
  Ints incoming_;
  std::size_t present_ = 0, placed_ = 0;
};

}  // namespace porf::walks
