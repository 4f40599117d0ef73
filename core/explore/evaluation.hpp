// One graph under a model file: is there a modification order under which all axioms hold? A likely one, the
// *witness*, is tried first. If it does not do, what is wrong is mostly found near the newest event; else the
// generic procedure decides.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "budget.hpp"
#include "explore/graph.hpp"
#include "relations/base.hpp"
#include "relations/engine.hpp"

namespace porf::explore {

using Witness = std::vector<std::vector<std::int32_t>>;  // location -> its writes in modification order

// The order of an event as model files see it: a read that is, or could be, the first half of an update keeps
// what acquires; starts and ends of threads have none.
constexpr std::uint8_t order_of(std::uint8_t op, std::uint8_t order) {
  if (op > kFence) return kNa;
  if (op != kRead) return order;
  if (order == kAcqRel) return kAcq;
  return order == kRel ? std::uint8_t{kRlx} : order;
}

// Choices and ends of objects are events of no model.
inline bool is_hidden(const Event& v) { return v.op == kChooseOp || v.op == kFreeOp; }

// An event, or if that is hidden the one before it in program order that is not; -1 if none.
inline std::int32_t shown(const Graph& g, std::int32_t e) {
  while (e >= 0 && is_hidden(g[e])) e = g.predecessor(e);
  return e;
}

// Visits what an event depends on, with the kind. It is the event with this number, or will be.
template <typename Visit>
void each_dependency(const Graph& g, const Event& event, std::int32_t e, const Visit& visit) {
  if (g.dependencies == nullptr || event.depends == 0) return;
  const Dependencies::Of& of = g.dependencies->of(event.depends);
  const bool writes = event.op == kWrite || event.op == kUpdate;
  const std::pair<DependencyKind, Dependencies::Set> kinds[] = {
      {kAddress, of.addr}, {kData, writes ? of.data : 0}, {kControl, of.ctrl}};
  // Both the thread's events and the members are in order of their indices.
  std::int32_t read = e >= g.size() ? g.last[event.thread] : g[e].prev;
  std::size_t left[3];
  for (std::size_t k = 0; k < 3; ++k) left[k] = g.dependencies->members(kinds[k].second).size();
  for (; read >= 0 && left[0] + left[1] + left[2] > 0; read = g[read].prev)
    for (std::size_t k = 0; k < 3; ++k) {
      if (left[k] == 0 || g.dependencies->members(kinds[k].second)[left[k] - 1] != g[read].index) continue;
      --left[k];
      visit(kinds[k].first, read);
    }
}

class Evaluation {
 public:
  // Throws relations::Spent when the budget ends.
  Evaluation(const relations::Program& program, bool two_events, Budget& budget);
  Evaluation(const Evaluation&) = delete;
  Evaluation& operator=(const Evaluation&) = delete;

  // The events of a graph, which are rows now; starts and ends of threads order as fences without an order,
  // and what is hidden is a thread by itself.
  void load(const Graph& g);
  // And one event more, the next of its thread.
  void load_next(const Graph& g, const Event& event);

  // Whether what is loaded is consistent; the witness becomes one of it, or stays.
  bool consistent(Witness& witness, std::int32_t newest);

  // Every modification order under which the axioms hold; the witness gives the writes.
  void orders(const Witness& witness, const std::function<void(const Witness&)>& visit);

  // Computes the relation of the first axiom on what is loaded, if need be under a modification order.
  void relate(const Witness* witness);
  // Whether that leads from one event, all of it, to another.
  bool leads(std::int32_t a, std::int32_t b) const;
  // Whether it orders two accesses, one way or the other. Of an update that is two events, each half counts that
  // conflicts with the other access.
  bool orders_conflict(std::int32_t a, std::int32_t b) const;

 private:
  using Line = std::vector<std::int32_t>;

  void add_row(const Graph& g, const Event& event, std::int32_t before);
  void add_dependencies(const Graph& g, const Event& event, std::int32_t row);
  std::int32_t location(std::int32_t loc);
  // The relations of what is loaded; false if an axiom that no modification order matters to is broken.
  bool begin();
  bool refuted(const Witness& witness, std::int32_t newest);
  bool forces(const Line& line, std::int32_t before, std::int32_t after);
  void order(const Line& line, std::int32_t before, std::int32_t after);
  void apply(const Witness& witness);
  void extract(Witness& witness) const;
  void extend(const Witness& witness, std::size_t at, Witness& chosen,
              const std::function<void(const Witness&)>& visit);
  std::size_t node(std::int32_t e) const { return static_cast<std::size_t>(events_.write_node(e)); }
  bool related(std::int32_t from, std::int32_t to) const {
    const relations::Word* relation = engine_.get(engine_.program().axioms.front().reg);
    return relations::test(relation + static_cast<std::size_t>(from) * engine_.shape().words,
                           static_cast<std::size_t>(to));
  }
  void assign();

  bool two_events_;
  Budget& budget_;
  std::uint64_t instructions_;
  std::int32_t threads_ = 0;
  std::vector<std::int32_t> thread_, loc_, rf_;
  std::vector<std::uint8_t> op_, order_;
  std::array<std::array<std::vector<std::int32_t>, 2>, 3> depends_;  // from, to; by kind
  std::vector<relations::Pair> across_;                              // program order between threads
  std::vector<std::int32_t> dense_, used_;  // location -> its number among those that are used, and back
  std::vector<relations::Word> saved_;
  relations::Events events_;
  relations::Engine engine_;
};

}  // namespace porf::explore
