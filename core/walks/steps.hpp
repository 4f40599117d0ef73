// What walks are made of: the events of an execution as nodes, the sparse steps between them, and automata over steps.
// Python makes them from a model file (porf.language.walks) and an execution (porf.checking.steps).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "allowance.hpp"
#include "graph/edge_graph.hpp"
#include "memory.hpp"

namespace porf::walks {

inline constexpr std::int32_t kNone = -2, kFirst = -1;  // of `follows`: nothing, or the initial write

// Events in the model's view, each thread's in program order. Initial writes are none: no walk leads back to them.
struct Nodes {
  Ints thread;
  Ints loc;                      // -1: none
  Large<std::uint8_t> writes;    // whether it writes
  Ints rf;                       // of a read: the node that wrote, -1 for the initial value; kNone if it does not read
  Ints follows;                  // the write that a write comes right after, kFirst, or kNone
  Large<std::uint64_t> selects;  // bit t: test t holds
  std::int32_t threads = 0, locations = 0;

  std::int32_t size() const { return static_cast<std::int32_t>(thread.size()); }
};

// Pairs of nodes, by their first. Those that are led to may be of another kind, and have numbers of their own.
class Steps {
 public:
  Steps() = default;
  Steps(std::int32_t nodes, std::span<const EdgeGraph::Edge> pairs) : Steps(nodes, nodes, pairs) {}
  Steps(std::int32_t nodes, std::int32_t targets, std::span<const EdgeGraph::Edge> pairs)
      : start_(static_cast<std::size_t>(nodes) + 1, 0), target_(pairs.size()), reached_(targets, 0) {
    Toil toil;
    for (auto [from, to] : pairs) {
      toil.demand();
      ++start_[from + 1];
      reached_[to] = 1;
    }
    for (std::int32_t v = 0; v < nodes; ++v) start_[v + 1] += start_[v];
    Large<std::uint32_t> fill(start_.begin(), start_.end() - 1);
    for (auto [from, to] : pairs) target_[fill[from]++] = to;
  }

  std::span<const std::int32_t> from(std::int32_t node) const {
    return {target_.data() + start_[node], start_[node + 1] - start_[node]};
  }
  bool leads_to(std::int32_t node) const { return reached_[node] != 0; }

 private:
  Large<std::uint32_t> start_;
  Ints target_;
  Large<std::uint8_t> reached_;
};

// Steps that depend on the modification order.
enum Dynamic : std::int32_t { kMo = 0, kFr = 1, kMoe = 2, kFre = 3, kDynamic = 4 };

// States are steps that were just taken; the last one is the hub, where the relation begins and ends. Every move is for
// the nodes of a test. The lists of steps are numbered: first the dynamic ones, then those that are given.
struct Automaton {
  struct Move {
    std::int32_t test;  // -1: all nodes
    std::int32_t to;
  };
  Ints letters;                          // per state but the hub: a list of steps
  std::vector<std::vector<Move>> moves;  // per state
  bool repeats = false;                  // a cycle may pass hubs again and again
  bool forces = false;                   // a path back excludes a step by the modification order

  std::int32_t states() const { return static_cast<std::int32_t>(moves.size()); }
  std::int32_t hub() const { return states() - 1; }
  bool dynamic(std::int32_t state) const { return state != hub() && letters[state] < kDynamic; }
  bool uses(std::int32_t list) const { return std::find(letters.begin(), letters.end(), list) != letters.end(); }
};

inline bool selected(const Nodes& nodes, std::int32_t e, std::int32_t test) {
  return test < 0 || (nodes.selects[e] >> test & 1) != 0;
}

}  // namespace porf::walks
