// Forward simulation, and automata made smaller by it.
#pragma once

#include <algorithm>

#include "automata/nfa.hpp"
#include "budget.hpp"

namespace porf::automata {

// The readings that each state has edges for.
inline BitRows enabled(const Nfa& nfa) {
  BitRows out(at(nfa.states), at(nfa.readings));
  for (const Edge& edge : nfa.edges) set(out[at(edge.source)], at(edge.reading));
  return out;
}

// Of some states, those that no other of them simulates; of states that simulate each other, the least.
inline std::vector<std::int32_t> largest(const std::vector<std::int32_t>& states, const BitRows& above) {
  std::vector<std::int32_t> out;
  for (std::int32_t p : states) {
    const bool covered = std::any_of(states.begin(), states.end(), [&](std::int32_t q) {
      return p != q && test(above[at(p)], at(q)) && (q < p || !test(above[at(q)], at(p)));
    });
    if (!covered) out.push_back(p);
  }
  return out;
}

// A greatest fixed point: pairs are taken away until nothing changes. Row p: the states q of `upper` that
// simulate the state p of `lower` (p <= q): the final set of q holds that of p, and every edge of p is
// answered by an edge of q with the same reading, to a state that simulates p's target. So every word
// accepted from p is accepted from q. If the budget ends the work, too much may be held to be simulated.
inline BitRows simulation(const Nfa& lower, const Nfa& upper, Budget& budget) {
  BitRows above(at(lower.states), at(upper.states));
  const BitRows offers = enabled(lower), answers = enabled(upper);
  std::vector<std::int32_t> work;
  for (std::int32_t p = lower.states; p-- > 0 && budget.spend(at(upper.states));) {
    for (std::int32_t q = 0; q < upper.states; ++q) {
      if (within(lower.final[at(p)], upper.final[at(q)], lower.final.words) &&
          within(offers[at(p)], answers[at(q)], offers.words))
        set(above[at(p)], at(q));
    }
    work.push_back(p);
  }
  const EdgeIndex before_lower(lower, true), before_upper(upper, true);
  std::vector<bool> waits(at(lower.states), true);
  std::vector<Word> able(above.words);
  while (!work.empty() && !budget.spent()) {
    const std::int32_t target = work.back();
    work.pop_back();
    waits[at(target)] = false;
    for (std::int32_t reading : before_lower.readings_at(target)) {
      std::fill(able.begin(), able.end(), Word{0});
      std::uint64_t cost = 1;
      for_each_bit(above[at(target)], above.words, [&](std::size_t q) {
        const auto sources = before_upper.at(static_cast<std::int32_t>(q), reading);
        cost += 1 + sources.size();
        for (std::int32_t source : sources) set(able.data(), at(source));
      });
      for (std::int32_t p : before_lower.at(target, reading)) {
        Word* row = above[at(p)];
        if (within(row, able.data(), above.words)) continue;
        for (std::size_t w = 0; w < above.words; ++w) row[w] &= able[w];
        if (!waits[at(p)]) work.push_back(p);
        waits[at(p)] = true;
      }
      if (!budget.spend(cost)) break;
    }
  }
  return above;
}

// The same language with fewer states: states that simulate each other are one, and of the targets of one
// reading, as of the initial states, only the largest are kept.
inline Nfa reduced(const Nfa& nfa, Budget& budget) {
  const Nfa small = trimmed(nfa);
  const BitRows above = simulation(small, small, budget);
  if (budget.spent()) return small;
  std::vector<std::int32_t> name(at(small.states));  // the least state that it is equal to
  for (std::int32_t p = 0; p < small.states; ++p) {
    name[at(p)] = p;
    for (std::int32_t q = 0; q < p && name[at(p)] == p; ++q) {
      if (test(above[at(p)], at(q)) && test(above[at(q)], at(p))) name[at(p)] = q;
    }
  }
  Nfa out{.states = small.states, .readings = small.readings, .classes = small.classes, .final = small.final};
  out.initial = largest(small.initial, above);
  for (std::int32_t& s : out.initial) s = name[at(s)];
  // Edges stand sorted by source and reading.
  std::vector<std::int32_t> targets;
  for (std::size_t i = 0; i < small.edges.size() && budget.spend();) {
    const Edge edge = small.edges[i];
    targets.clear();
    for (; i < small.edges.size() && small.edges[i].source == edge.source && small.edges[i].reading == edge.reading;
         ++i)
      targets.push_back(small.edges[i].target);
    if (name[at(edge.source)] != edge.source) continue;  // its equal has edges as large
    for (std::int32_t target : largest(targets, above))
      out.edges.push_back({edge.source, edge.reading, name[at(target)]});
  }
  return trimmed(out);
}

}  // namespace porf::automata
