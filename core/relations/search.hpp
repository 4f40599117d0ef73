// Is there a modification order under which every axiom holds? A search that keeps a partial order, probes every open
// pair both ways, and splits where probing is stuck. Its answer carries an order, or a tree of refutations.
#pragma once

#include <cstdint>
#include <vector>

#include "budget.hpp"
#include "relations/engine.hpp"

namespace porf::relations {

struct ProofStep {
  std::int32_t before, after;  // nodes: this edge holds, since the opposite one is refuted
  std::int32_t refutation;     // a proof
};

struct ProofNode {
  std::int32_t axiom = -1;  // broken once all steps are taken
  std::vector<ProofStep> steps;
};

class Search {
 public:
  Search(Engine& engine, Budget& budget);

  Answer run();
  // The same where the axioms that do not use mo are known to hold, from the order that the engine has.
  Answer complete() { return refute(root_); }
  // After kConsistent: the engine's mo is total. After kInconsistent: the refutations, and the root among them.
  const std::vector<ProofNode>& proofs() const { return proofs_; }
  std::int32_t root() const { return root_; }

 private:
  struct Candidate {
    std::int32_t first, second;
  };
  struct Split {
    std::int32_t before, after;
    bool found;
  };

  Answer refute(std::int32_t& proof);
  enum class Progress { kTotal, kBroken, kForced, kStuck, kSpent };
  Progress propagate(ProofNode& node);
  Progress sharpen(ProofNode& node);
  Progress sweep(ProofNode& node);
  bool forces(std::int32_t before, std::int32_t after, ProofNode& node);
  bool tick();
  bool holds_totally(const std::vector<std::int32_t>& position);
  std::vector<std::int32_t> by_position(const std::vector<std::int32_t>& writes,
                                        const std::vector<std::int32_t>& position) const;
  Split choose() const;
  std::vector<std::int32_t> linear_extension() const;
  bool ordered(std::int32_t a, std::int32_t b) const { return test(engine_.mo() + a * words_, b); }
  bool open(const Candidate& c) const { return !ordered(c.first, c.second) && !ordered(c.second, c.first); }
  void order(std::int32_t before, std::int32_t after);
  std::int32_t leaf(std::int32_t axiom);

  Engine& engine_;
  Budget& budget_;
  std::size_t words_;
  std::uint64_t cost_;                             // of one evaluation, in steps
  std::vector<std::vector<std::int32_t>> writes_;  // a location's, the initial one last
  std::vector<Candidate> candidates_;
  std::vector<std::int32_t> readers_;  // how many reads a node feeds
  std::vector<Word> rf_, po_rf_;
  std::vector<ProofNode> proofs_;
  std::vector<Word> saved_;
  std::int32_t root_ = -1;
};

}  // namespace porf::relations
