// Why a pair is in a relation: the relation's expression evaluated over (min, +), so that every pair knows
// the fewest base edges that make it, and the walk back that lists those edges.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "relations/engine.hpp"

namespace porf::relations {

struct BaseEdge {
  std::int32_t source, relation, target;  // nodes; relation: a BaseRelation, kBaseRelations for "any pair"
  bool backwards = false;
};

// Reads the registers of an engine after `run_all`.
class Paths {
 public:
  explicit Paths(Engine& engine);

  // The shortest cycle, loop or pair that breaks an axiom, in base edges; empty where there is none to show.
  std::vector<BaseEdge> breaking(std::int32_t axiom);
  // After the engine's mo has changed.
  void forget_order();

 private:
  using Cost = std::uint32_t;
  using Costs = std::vector<Cost>;
  static constexpr Cost kNever = 0x3fffffff;
  // An edge outweighs any number of unfoldings of a recursion; those count so that the walk back always descends.
  static constexpr Cost kEdge = 1 << 14;

  void evaluate(std::int32_t reg);
  // Costs of the wanted registers in a range of instructions.
  void evaluate_range(std::int32_t first, std::int32_t last, const std::vector<char>& wanted);
  std::int32_t gather_of(std::int32_t member) const;
  void gather(std::int32_t at, const std::vector<char>& wanted);
  void focus(std::int32_t gather, std::int32_t event);
  void compute(std::int32_t at);
  void mask(std::int32_t at);
  bool update(std::int32_t at);
  void shortest_walks(Costs& costs);
  void walk(std::int32_t reg, std::size_t from, std::size_t to, bool backwards, std::vector<BaseEdge>& out);
  void walk_gathered(std::int32_t reg, std::size_t from, std::size_t to, bool backwards, std::vector<BaseEdge>& out);
  void walk_closure(const Costs& closed, std::int32_t step, std::size_t from, std::size_t to, bool backwards,
                    std::vector<BaseEdge>& out);
  bool has(std::int32_t reg, std::size_t from, std::size_t to) const {
    return test(engine_.get(reg) + from * n_words_, to);
  }

  Engine& engine_;
  const Program& program_;
  std::size_t n_, n_words_;
  std::vector<Costs> costs_;                         // a register
  std::vector<char> settled_;                        // a register: its costs are computed
  std::vector<std::vector<std::int32_t>> cheapest_;  // a kGather: the event that makes each pair cheapest
  // The kGathers that the walk is inside, outermost first, each with its event. The registers between a
  // kMember and its kGather hold what belongs to that event.
  std::vector<std::pair<std::int32_t, std::int32_t>> inside_;
};

}  // namespace porf::relations
