// What strategies share: what they are asked for, and how an execution that has come to its end is recorded,
// with its modification orders if they count.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/engine.hpp"
#include "explore/fairness.hpp"
#include "explore/guesses.hpp"
#include "explore/races.hpp"
#include "explore/recorder.hpp"

namespace porf::explore {

struct StrategyOptions {
  bool spurious = true;     // what is weak may fail for no reason
  std::uint64_t limit = 0;  // executions; 0: all
  bool awaits = true;       // executions that end in waiting are left out where they show nothing of their own
  Guesses guesses;          // of how waits end
  bool coherent = true;     // the model orders the writes of each location, as program order and reads-from there say
};

// An execution has ended, and only now it can be judged what happens before what.
template <Engine Consistency>
void record_races(Consistency& engine, Races& races, Recorder& recorder, const Graph& g, std::int32_t level,
                  const std::vector<std::int32_t>& path) {
  FileRaces* late = races.late();
  if (late == nullptr) return;
  std::vector<WriteOrder> orders;
  if constexpr (OrderedEngine<Consistency>)
    if (late->uses_mo()) engine.orders(g, level, &orders);
  auto [event, conflict] = late->any(g, orders);
  if (event >= 0) recorder.conflict(g, event, conflict, path);
}

// `orbit`: for how many executions it stands; 0 if another one stands for it.
template <Engine Consistency>
void record_leaf(Consistency& engine, Recorder& recorder, Graph& g, std::int32_t level,
                 const std::vector<std::int32_t>& path, std::uint64_t orbit) {
  bool forever = recorder.asks_forever(g) && Fairness(recorder.runner(), engine, level).waits_forever(g);
  if constexpr (OrderedEngine<Consistency>) {
    if (recorder.options().ordered) {
      std::vector<WriteOrder> all;
      bool collect = recorder.options().collect;
      std::uint64_t count = engine.orders(g, level, collect ? &all : nullptr);
      recorder.leaf(g, path, forever, orbit, count, collect ? &all : nullptr);
      return;
    }
  }
  recorder.leaf(g, path, forever, orbit);
}

}  // namespace porf::explore
