#include "walks/problem.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "walks/saturation.hpp"

namespace porf::walks {

namespace {

constexpr std::size_t kMostCycles = 64;  // of one axiom under one order

bool within(const std::vector<Automaton::Move>& a, const std::vector<Automaton::Move>& b) {
  return std::all_of(a.begin(), a.end(), [&](const Automaton::Move& m) {
    return std::any_of(b.begin(), b.end(), [&](const Automaton::Move& o) { return o.test == m.test && o.to == m.to; });
  });
}

}  // namespace

Problem::Problem(Nodes nodes, std::vector<Automaton> walks, StepLists steps, const Large<EdgeGraph::Edge>& ordered)
    : nodes_(std::move(nodes)), walks_(std::move(walks)), steps_(std::move(steps)), chains_(nodes_) {
  coherent_ = !chains_.broken();
  for (std::size_t i = 0; i < ordered.size() && coherent_; ++i)
    coherent_ = chains_.keep(ordered[i].first, ordered[i].second);
}

bool Problem::dynamic(const Automaton& a) const {
  return std::any_of(a.letters.begin(), a.letters.end(), [](std::int32_t l) { return l < kDynamic; });
}

bool Problem::across() const {
  return std::any_of(walks_.begin(), walks_.end(), [](const Automaton& a) { return a.uses(kMoe) || a.uses(kFre); });
}

Answer Problem::begin(Budget& budget) {
  if (!coherent_ || !chains_.possible()) return Answer::kInconsistent;
  for (const Automaton& walk : walks_) {
    if (dynamic(walk)) continue;
    const Product product(nodes_, walk, steps_, false, budget);
    if (budget.spent()) return Answer::kUndecided;
    const bool broken = !product.cycles(1, budget).empty();
    if (broken) return Answer::kInconsistent;
    if (budget.spent()) return Answer::kUndecided;
  }
  return Answer::kConsistent;
}

Answer Problem::saturate(Budget& budget) {
  Ints order, cycle;
  const Ints keys(static_cast<std::size_t>(chains_.size()), 0);
  if (!chains_.sort(keys, {}, order, cycle)) return Answer::kInconsistent;
  bool news = false;
  for (const Automaton& walk : walks_) {
    if (!walk.forces || !dynamic(walk)) continue;
    chains_.steps(order, chains_.forced(), across(), steps_);
    const Product product(nodes_, walk, steps_, false, budget);
    if (budget.spent()) return Answer::kUndecided;
    if (!product.acyclic()) {
      const bool broken = !product.cycles(1, budget).empty();
      if (broken) return Answer::kInconsistent;
      if (budget.spent()) return Answer::kUndecided;
      continue;  // walks go round without coming to an end; nothing is concluded from them
    }
    for (auto [before, after] : forced_by(nodes_, walk, steps_, chains_, order, product, budget)) {
      bool fresh = false;
      if (!chains_.force(before, after, fresh)) return Answer::kInconsistent;
      news |= fresh;
    }
    if (budget.spent()) return Answer::kUndecided;
    if (!chains_.sort(keys, {}, order, cycle)) return Answer::kInconsistent;
  }
  return news ? Answer::kUndecided : Answer::kConsistent;
}

Ints Problem::keys() const {
  const std::int32_t n = nodes_.size();
  bool in_order = true;
  for (std::int32_t e = 0; e < n; ++e) in_order &= nodes_.rf[e] < e;
  Ints keys(static_cast<std::size_t>(chains_.size())), time(n, -1);
  if (in_order) {
    for (std::int32_t c = 0; c < chains_.size(); ++c) keys[c] = chains_.top(c);
    return keys;
  }
  std::vector<Ints> rows(static_cast<std::size_t>(nodes_.threads));
  for (std::int32_t e = 0; e < n; ++e) rows[nodes_.thread[e]].push_back(e);
  std::vector<std::size_t> done(rows.size(), 0);
  // A thread waits for what it reads; where all wait for each other, one goes on.
  for (std::int32_t now = 0; now < n;) {
    const std::int32_t before = now;
    for (int patient = 1; patient >= 0 && now == before; --patient)
      for (std::size_t t = 0; t < rows.size() && (patient || now == before); ++t) {
        if (done[t] == rows[t].size()) continue;
        const std::int32_t e = rows[t][done[t]];
        if (patient && nodes_.rf[e] >= 0 && time[nodes_.rf[e]] < 0) continue;
        time[e] = now++;
        ++done[t];
      }
  }
  for (std::int32_t c = 0; c < chains_.size(); ++c) keys[c] = time[chains_.top(c)];
  return keys;
}

Attempt Problem::attempt(const Ints& keys, std::span<const EdgeGraph::Edge> pairs, Budget& budget) {
  Attempt out;
  Ints order, circle;
  if (!chains_.sort(keys, pairs, order, circle)) {
    const std::set<EdgeGraph::Edge> asked(pairs.begin(), pairs.end());
    for (std::size_t i = 0; i < circle.size(); ++i) {
      const EdgeGraph::Edge edge{circle[i], circle[(i + 1) % circle.size()]};
      if (chains_.knows(edge.first, edge.second) || !asked.contains(edge)) continue;
      out.clauses.push_back(edge.first);
      out.clauses.push_back(edge.second);
    }
    out.clause_end.push_back(static_cast<std::int64_t>(out.clauses.size() / 2));
    if (out.clauses.empty()) out.answer = Answer::kInconsistent;
    return out;
  }
  chains_.steps(order, chains_.neighbours(order), across(), steps_);
  bool whole = true;
  for (const Automaton& walk : walks_) {
    if (!dynamic(walk)) continue;
    const Product product(nodes_, walk, steps_, false, budget);
    const auto cycles = product.cycles(kMostCycles, budget);
    if (budget.spent()) return out;
    for (const auto& cycle : cycles) {
      whole = false;
      blame(walk, cycle, out);
      if (out.answer == Answer::kInconsistent) return out;
    }
  }
  if (!whole) return out;
  chains_.list(order, out.writes, out.start);
  out.answer = Answer::kConsistent;
  return out;
}

// The pairs of chains that a cycle stands on. Steps that go on within one relation are one pair.
void Problem::blame(const Automaton& automaton, const std::vector<Place>& cycle, Attempt& attempt) const {
  std::set<EdgeGraph::Edge> pairs;
  std::int32_t from = kNone, to = kNone, loc = -1;
  auto end = [&] {
    if (to == kNone) return;
    const std::int32_t a = chains_.chain_of(from, loc), b = chains_.chain_of(to, loc);
    if (a != b && !chains_.initial(a)) pairs.emplace(a, b);
    from = to = kNone;
  };
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const Place& here = cycle[i];
    const Place& next = cycle[(i + 1) % cycle.size()];
    if (next.state == automaton.hub() || !automaton.dynamic(next.state)) {
      end();
      continue;
    }
    const std::int32_t letter = automaton.letters[next.state];
    const bool goes_on = letter == kMo && to == here.event && here.state != automaton.hub() &&
                         within(automaton.moves[next.state], automaton.moves[here.state]);
    if (!goes_on) {
      end();
      loc = nodes_.loc[here.event];
      from = letter == kFr || letter == kFre ? nodes_.rf[here.event] : here.event;
    }
    to = next.event;
  }
  end();
  if (pairs.empty()) attempt.answer = Answer::kInconsistent;
  for (const auto& [a, b] : pairs) {
    attempt.clauses.push_back(a);
    attempt.clauses.push_back(b);
  }
  attempt.clause_end.push_back(static_cast<std::int64_t>(attempt.clauses.size() / 2));
}

}  // namespace porf::walks
