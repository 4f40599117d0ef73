// A model's axioms on candidate executions: what no order of writes can mend is seen before orders are tried.
#pragma once

#include <cstdint>
#include <vector>

#include "candidates/candidates.hpp"
#include "candidates/coherent.hpp"
#include "relations/engine.hpp"

namespace porf::candidates {

// Whether the model has an axiom that keeps each location coherent: po within a location, rf, mo and fr are acyclic.
Coherence coherence(const relations::Program& program);
// Whether the model has an axiom that keeps updates atomic: nobody else writes between what one reads and what it
// writes.
bool keeps_atomic(const relations::Program& program);

// The axioms on one execution after the other. Its columns are borrowed; what only rf changes is not renewed.
class Axioms {
 public:
  Axioms(const Settings& settings, Budget& budget) : settings_(settings), budget_(budget) {}

  // Another execution; false if it breaks an axiom under all orders of its writes.
  bool begin(const Execution& execution);
  // The order of a location's writes, which replaces the last one.
  void order(const std::vector<std::int32_t>& writes);
  // Whether all axioms hold under the orders that were given, for all locations.
  bool hold();
  // Afterwards: counts the axioms that only report, and hold.
  void count(std::vector<std::uint64_t>& flags);

 private:
  const Settings& settings_;
  Budget& budget_;
  relations::Events events_;
  std::optional<relations::Engine> engine_;
};

}  // namespace porf::candidates
