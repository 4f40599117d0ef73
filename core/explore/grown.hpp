// A graph that grows event by event, with the relations of a model file that no modification order matters
// to: of a new event only its own column is computed. Whether a modification order that was fine still is,
// is one search from the new event, through the automata of the axioms.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "explore/bits.hpp"
#include "explore/evaluation.hpp"
#include "explore/graph.hpp"
#include "explore/walks.hpp"

namespace porf::explore {

class Grown {
 public:
  Grown(const Walks& walks, bool two_events);

  // No events; initial writes of so many locations.
  void clear(std::int32_t threads, std::int32_t locations);
  // Event e was added to the graph, or will be: then it is the next of its thread.
  void push(const Graph& g, std::int32_t e, const Event& event);
  void pop(std::int32_t e);
  // Whether there was room for everything.
  bool whole() const { return missing_ == 0; }

  // Whether no axiom is broken by a walk through event e, under an order in which the others break none.
  bool holds(const Witness& witness, std::int32_t e);

  // Whether it is seen that no order is fine: mostly event e reads from a write that another one, known to it, must
  // follow, or that another update has taken. The witness gives the writes, and an order that is likely.
  bool refuted(const Witness& witness, std::int32_t e);

 private:
  static constexpr std::int32_t kNodes = 128;
  using Set = Bits<kNodes / 64>;

  struct Node {
    std::int32_t event = -1;  // or -1: an initial write
    std::int32_t thread = -1, loc = -1;
    std::int32_t source = -1;  // node
    std::uint8_t op = kWrite, order = kNa;
    bool update = false;
    std::array<Set, 3> depends = {};  // by kind
  };

  void add(const Node& node, const Set& before);
  void remove();
  void compute(std::int32_t slot, std::int32_t e);
  bool in_base_set(std::int32_t base, const Node& node) const;
  Set base_column(std::int32_t base, std::int32_t e) const;
  Set& column(std::int32_t slot, std::int32_t e) { return columns_[at(slot, e)]; }
  Set& row(std::int32_t slot, std::int32_t e) { return rows_[at(slot, e)]; }
  static std::size_t at(std::int32_t slot, std::int32_t e) {
    return static_cast<std::size_t>(slot) * kNodes + static_cast<std::size_t>(e);
  }
  std::int32_t slot(std::int32_t reg) const { return slot_[static_cast<std::size_t>(reg)]; }
  void apply(const Witness& witness);
  bool broken_at(std::int32_t e);
  bool forces(const std::vector<std::int32_t>& line, std::int32_t before, std::int32_t after);
  void order(const std::vector<std::int32_t>& line, std::int32_t before, std::int32_t after);
  void derive(const Set& readers);  // fr from mo
  Set masked(const Letter& letter, std::int32_t x) const;
  Set step(std::size_t automaton, std::int32_t letter, std::int32_t x) const {
    const Set* rows = tables_[automaton][static_cast<std::size_t>(letter)];
    return rows != nullptr ? rows[x]
                           : masked(walks_.automata()[automaton].letters[static_cast<std::size_t>(letter)], x);
  }
  bool closed(std::size_t automaton, std::int32_t e);
  bool closed_from(std::size_t automaton, std::int32_t e, std::int32_t start, const Set& reached);

  const Walks& walks_;
  bool two_events_;
  std::vector<std::int32_t> slot_;  // register -> its column, or -1
  std::vector<char> stepped_;       // slot: it is a letter, so its rows are kept, too
  std::int32_t initials_ = 0, missing_ = 0;
  std::vector<Node> nodes_;
  std::vector<Set> po_;              // node -> what is before it
  std::vector<Set> columns_, rows_;  // slot, node
  std::vector<Set> members_;         // slot of a set
  std::vector<Set> of_thread_, of_loc_;
  std::vector<std::int32_t> read_node_, write_node_;  // of an event
  std::vector<Set> mo_, fr_, saved_;                  // node -> what follows it
  std::vector<std::vector<const Set*>> tables_;       // automaton, letter -> rows; none if they are masked
  std::vector<Set> visited_, waiting_;                // of a search: twice the letters
  std::vector<std::int32_t> agenda_;
};

}  // namespace porf::explore
