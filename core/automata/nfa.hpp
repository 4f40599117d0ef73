// Automata over plain symbols, here called readings: what is left of a guarded automaton when atoms and
// letters that no guard tells apart have become one. Final sets are still sets of classes of atoms.
#pragma once

#include <algorithm>
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
  std::vector<std::int32_t> initial = {};
  std::vector<Edge> edges = {};
  BitRows final = {};  // a set of classes a state
};

// The edges of an automaton by (state, reading), forwards or backwards.
class EdgeIndex {
 public:
  EdgeIndex(const Nfa& nfa, bool backwards)
      : readings_(static_cast<std::size_t>(nfa.readings)),
        start_(static_cast<std::size_t>(nfa.states) * readings_ + 1),
        ends_(nfa.edges.size()) {
    auto cell = [&](const Edge& edge) {
      return static_cast<std::size_t>(backwards ? edge.target : edge.source) * readings_ +
             static_cast<std::size_t>(edge.reading);
    };
    for (const Edge& edge : nfa.edges) ++start_[cell(edge) + 1];
    for (std::size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
    std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
    for (const Edge& edge : nfa.edges) ends_[next[cell(edge)]++] = backwards ? edge.source : edge.target;
  }

  std::span<const std::int32_t> at(std::int32_t state, std::int32_t reading) const {
    const std::size_t cell = static_cast<std::size_t>(state) * readings_ + static_cast<std::size_t>(reading);
    return std::span(ends_).subspan(start_[cell], start_[cell + 1] - start_[cell]);
  }

  // The readings at which a state has edges.
  std::vector<std::int32_t> readings_at(std::int32_t state) const {
    std::vector<std::int32_t> out;
    const std::size_t base = static_cast<std::size_t>(state) * readings_;
    for (std::size_t r = 0; r < readings_; ++r) {
      if (start_[base + r] != start_[base + r + 1]) out.push_back(static_cast<std::int32_t>(r));
    }
    return out;
  }

 private:
  std::size_t readings_;
  std::vector<std::uint32_t> start_;
  std::vector<std::int32_t> ends_;
};

// The states that can be reached from some, over edges forwards or backwards.
inline std::vector<bool> reached(const Nfa& nfa, std::vector<std::int32_t> from, bool backwards) {
  const auto states = static_cast<std::size_t>(nfa.states);
  std::vector<std::vector<std::int32_t>> next(states);
  for (const Edge& edge : nfa.edges) {
    const auto [a, b] = backwards ? std::pair(edge.target, edge.source) : std::pair(edge.source, edge.target);
    next[a].push_back(b);
  }
  std::vector<bool> seen(states);
  for (std::int32_t s : from) seen[s] = true;
  while (!from.empty()) {
    const auto s = static_cast<std::size_t>(from.back());
    from.pop_back();
    for (std::int32_t t : next[s]) {
      if (seen[t]) continue;
      seen[t] = true;
      from.push_back(t);
    }
  }
  return seen;
}

// Without states that no accepted word visits, and without edges that are there twice.
inline Nfa trimmed(const Nfa& nfa) {
  std::vector<std::int32_t> accepting;
  for (std::int32_t s = 0; s < nfa.states; ++s) {
    if (!relations::is_empty(nfa.final[s], nfa.final.words)) accepting.push_back(s);
  }
  const std::vector<bool> begun = reached(nfa, nfa.initial, false), ended = reached(nfa, accepting, true);
  std::vector<std::int32_t> name(static_cast<std::size_t>(nfa.states), -1);
  Nfa out{.readings = nfa.readings, .classes = nfa.classes};
  for (std::size_t s = 0; s < name.size(); ++s) {
    if (begun[s] && ended[s]) name[s] = out.states++;
  }
  out.final = BitRows(static_cast<std::size_t>(out.states), static_cast<std::size_t>(nfa.classes));
  for (std::size_t s = 0; s < name.size(); ++s) {
    if (name[s] >= 0) or_row(out.final[name[s]], nfa.final[s], nfa.final.words);
  }
  auto named = [&](std::int32_t s) { return name[s]; };
  for (std::int32_t s : nfa.initial) {
    if (named(s) >= 0) out.initial.push_back(named(s));
  }
  for (const Edge& edge : nfa.edges) {
    if (named(edge.source) >= 0 && named(edge.target) >= 0)
      out.edges.push_back({named(edge.source), edge.reading, named(edge.target)});
  }
  auto unique = [](auto& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
  };
  unique(out.initial);
  unique(out.edges);
  return out;
}

// Side by side: the states of each after those of the one before.
inline Nfa united(const std::vector<Nfa>& parts, std::int32_t readings, std::int32_t classes) {
  Nfa out{.readings = readings, .classes = classes, .final = BitRows(0, static_cast<std::size_t>(classes))};
  for (const Nfa& part : parts) {
    for (std::int32_t s : part.initial) out.initial.push_back(out.states + s);
    for (const Edge& edge : part.edges)
      out.edges.push_back({out.states + edge.source, edge.reading, out.states + edge.target});
    out.states += part.states;
    out.final.data.insert(out.final.data.end(), part.final.data.begin(), part.final.data.end());
  }
  return out;
}

}  // namespace porf::automata
