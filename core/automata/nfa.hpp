// Automata over plain symbols, here called readings: what is left of a guarded automaton when atoms and
// letters that no guard tells apart have become one. Final sets are still sets of classes of atoms.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "automata/bits.hpp"

namespace porf::automata {

struct Edge {
  std::int32_t source, reading, target;
  auto operator<=>(const Edge&) const = default;
};

struct Nfa {
  std::int32_t states = 0, readings = 0, classes = 0;
  std::vector<std::int32_t> initial;
  std::vector<Edge> edges;
  BitRows final;  // a set of classes a state
};

// The edges of an automaton by (state, reading), forwards or backwards.
class EdgeIndex {
 public:
  EdgeIndex(const Nfa& nfa, bool backwards);

  std::span<const std::int32_t> at(std::int32_t state, std::int32_t reading) const {
    const std::size_t cell = static_cast<std::size_t>(state) * readings_ + static_cast<std::size_t>(reading);
    return std::span(ends_).subspan(start_[cell], start_[cell + 1] - start_[cell]);
  }

  // The readings at which a state has edges.
  std::vector<std::int32_t> readings_at(std::int32_t state) const;

 private:
  std::size_t readings_;
  std::vector<std::uint32_t> start_;
  std::vector<std::int32_t> ends_;
};

// The states that can be reached from some, over edges forwards or backwards.
std::vector<bool> reached(const Nfa& nfa, std::vector<std::int32_t> from, bool backwards);

// Without states that no accepted word visits, and without edges that are there twice.
Nfa trimmed(const Nfa& nfa);

// Side by side: the states of each after those of the one before.
Nfa united(const std::vector<Nfa>& parts, std::int32_t readings, std::int32_t classes);

}  // namespace porf::automata
