// A model file, compiled for graphs that grow. Each axiom becomes paths of saved relations with at most one step by the
// modification order (mo or fr) between them: longer walks say nothing more, since two such steps in a row are one.
//
//   irreflexive: a step by the order, and a path that leads back. So the path forces the opposite order of two writes.
//   acyclic: an order of events, whose edges are paths, or a path, a step by the order, and a path.
//
// Files that are not of this form are walked or evaluated.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "explore/walks.hpp"

namespace porf::explore {

// Walks of saved relations, as a table: where each begins, how its steps follow each other, where it ends. Sets of
// positions are bits.
struct PathTable {
  struct Position {
    std::int32_t slot = 0;     // of the relation
    bool starts = false;       // a walk may begin here
    bool local = false;        // what comes before this step stays at a location
    std::uint64_t before = 0;  // positions
  };
  std::vector<Position> positions;
  std::uint64_t last = 0;  // where a walk may end
  bool empty = false;      // no step at all is a walk, too
};

// A step by the modification order. A mask is kInt or kExt, or -1: all pairs.
struct OrderStep {
  bool mo = false, fr = false;
  std::int32_t mo_mask = -1, fr_mask = -1;
};

struct ForcedBy {
  OrderStep step;
  PathTable back;  // from where the step leads to where it began
};

struct OrderAxiom {
  struct Term {
    OrderStep step;
    bool begins = false;       // an edge may begin with the step,
    std::uint64_t before = 0;  // or a path to one of these positions is before it
    PathTable rest;            // what follows it
    bool direct = false;       // nothing is before or after it
  };
  PathTable paths;  // from where an edge begins; those that end are edges
  std::vector<Term> terms;
};

// What sets can tell of an event.
struct EventClass {
  static constexpr int kCount = 4 * 8 * 2;
  std::uint8_t op = 0, order = 0;
  bool update = false;

  int number() const { return (op * 8 + order) * 2 + update; }
};

// The columns of an event of one class, without those that are empty, and the sets that it is in.
struct ColumnCode {
  std::vector<std::int32_t> steps, sets;
};

// One column of the newest event, from columns that are computed.
struct ColumnStep {
  std::int32_t op = 0, a = -1, b = -1;  // slots, or what a leaf is
  bool is_set = false;
  bool filter = false;  // of a composition: one side is the identity on a set
};

class Linear {
 public:
  Linear(const Walks& walks, bool two_events);

  bool usable() const { return usable_; }
  bool atomic() const { return atomic_; }                  // nothing comes between an update and its source
  bool updates_differ() const { return updates_differ_; }  // a read that is part of an update may differ from others
  bool uses_dependencies() const { return uses_dependencies_; }
  const std::vector<ColumnStep>& columns() const { return columns_; }
  const ColumnCode& code(const EventClass& event) const { return code_[event.number()]; }
  const std::vector<ForcedBy>& forced() const { return forced_; }
  const std::vector<OrderAxiom>& orders() const { return orders_; }

 private:
  struct Shape;  // a walk automaton without what says nothing new

  ColumnCode specialise(const EventClass& event) const;
  bool compile(const WalkAutomaton& automaton);
  void add_forced(const Shape& shape);
  void add_order(const Shape& shape);
  bool orders_updates();
  using Word = std::span<const std::int32_t>;  // base relations, one after the other
  bool covers(std::int32_t slot, Word path);
  std::vector<char> covering(Word path);
  bool find_stays(const ColumnStep& step) const;
  bool stays(std::int32_t slot) const { return stays_[slot] != 0; }
  void finish(PathTable& table) const;
  bool leads(const PathTable& table, Word path);

  const Walks& walks_;
  bool two_events_, usable_ = false, atomic_ = false, updates_differ_ = false, uses_dependencies_ = false;
  std::vector<std::int32_t> slot_;  // of a register
  std::vector<ColumnStep> columns_;
  std::vector<char> stays_;                                        // a slot: it leads to no other location
  std::map<std::vector<std::int32_t>, std::vector<char>> covers_;  // a path: by slot, whether it has all its pairs
  std::array<ColumnCode, EventClass::kCount> code_;
  std::vector<ForcedBy> forced_;
  std::vector<OrderAxiom> orders_;
};

}  // namespace porf::explore
