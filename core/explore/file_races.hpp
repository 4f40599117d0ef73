// Races by the happens-before of a model file, evaluated on the graph. Mostly that relation does not change between
// events that are there, so each event is looked at when it is added. If it can (it depends on the modification order,
// or an event can order earlier ones), executions are looked at when they have ended: `late`.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "budget.hpp"
#include "explore/conflict.hpp"
#include "explore/engine.hpp"
#include "explore/evaluation.hpp"
#include "explore/memory_map.hpp"
#include "relations/program.hpp"

namespace porf::explore {

class FileRaces {
 public:
  // Happens-before is the relation of the program's only axiom. Throws relations::Spent when the budget ends.
  FileRaces(const MemoryMap& memory, const relations::Program& happens_before, bool two_events, bool late,
            Budget& budget)
      : memory_(memory),
        evaluation_(happens_before, two_events, budget),
        late_(late),
        uses_mo_(happens_before.axioms.front().uses_mo) {}

  bool late() const { return late_; }
  bool uses_mo() const { return uses_mo_; }

  // What an access, or the end of an object, that was added last does not go with.
  Conflict newest(const Graph& g, std::int32_t e);
  // Whether one of two accesses happens before the other; if that cannot be judged yet, it is taken for granted.
  bool ordered(const Graph& g, std::int32_t a, std::int32_t b);
  // The first event of a whole graph that does not go with another, and that; under one of these modification orders,
  // if happens-before depends on them.
  std::pair<std::int32_t, Conflict> any(const Graph& g, const std::vector<WriteOrder>& orders);

 private:
  bool suspicious(const Graph& g, std::int32_t e) const;
  Conflict conflict(const Graph& g, std::int32_t e) const;
  Conflict freed(const Graph& g, std::int32_t e) const;
  bool known(const Graph& g, std::int32_t e) const;
  bool is_strange(const Event& v) const;
  std::int64_t object_of(const Event& v) const { return number_of(memory_[v.loc].pointer); }

  const MemoryMap& memory_;
  Evaluation evaluation_;
  bool late_, uses_mo_;
};

}  // namespace porf::explore
