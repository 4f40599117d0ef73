// What a strategy asks of an engine: the consistency of graphs under one model, kept along the path of an exploration.
// Graphs are nested: a level is a graph that a revisit has made, and each level has a state of its own.
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "explore/graph.hpp"

namespace porf::explore {

// A write that a read may read from, as far as it only reads; free if it may be taken by an update, too.
struct Source {
  std::int32_t write = kInitial;
  bool free = true;
};

// The graph in which event d made a canonical choice: all events before d in the order of insertion, and the
// prefix of the write a, whose own write does not count.
struct Cut {
  const Clock* prefix = nullptr;
  std::int32_t a = -1;
};

// What an engine says of a choice without building the cut's graph. An engine without fast choices may have
// `settled(g, level, cut, d)`; what it does not say unknown of must be a function of the cut's graph, too.
enum class Canonical : std::uint8_t { kNo, kYes, kUnknown };

// A modification order of a graph: its writes, location after location, each after those that it overwrites.
using WriteOrder = std::vector<std::int32_t>;

template <typename E>
concept Engine = requires(E engine, const Graph& g, std::int32_t i, std::vector<Source>& out) {
  // Whether `canonical(g, level, cut, d)` is there: a choice that is a function of the cut's graph and always
  // consistent, found without building that graph. Otherwise the first source by thread and index is taken.
  { E::kFastCanonical } -> std::convertible_to<bool>;
  // The state of level i is that of the empty graph.
  engine.clear(i);
  // The state of level i is that of g, event after event as they arrived. All but the last `fresh` arrivals
  // are known to be consistent; false if the whole is not.
  { engine.rebuild(g, i, i) } -> std::same_as<bool>;
  // The event was added last to g, and is known to be consistent: a read with a source that `sources` gave
  // (an update with a free one), or anything that does not read.
  engine.push(g, i, i);
  // The event was added last to g. False, and nothing is changed, if that is not consistent.
  { engine.try_push(g, i, i) } -> std::same_as<bool>;
  // The event that was pushed last goes; it is still in g.
  engine.pop(g, i, i);
  // The writes of a location from which a thread's next event, `g.pending(i)`, not in g yet, may read.
  engine.sources(g, i, i, i, out);
};

// An engine that can also tell the modification orders of its graphs apart.
template <typename E>
concept OrderedEngine = Engine<E> && requires(E engine, const Graph& g, std::int32_t i, std::vector<WriteOrder>* all) {
  // How many modification orders the model allows the graph of level i; if asked for, they are added to `all`.
  { engine.orders(g, i, all) } -> std::same_as<std::uint64_t>;
};

}  // namespace porf::explore
