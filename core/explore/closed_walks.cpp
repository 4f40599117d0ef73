// The search of a grown graph: closed walks under a modification order, or under what is known of all.
#include <algorithm>

#include "explore/grown.hpp"

namespace porf::explore {

void Grown::apply(const Witness& witness) {
  for (std::int32_t x = 0; x < initials_; ++x) {
    Set after;
    const auto& line = witness[x];
    for (std::size_t i = line.size(); i-- > 0;) {
      const std::int32_t w = write_node_[line[i]];
      mo_[w] = after;
      after.set(w);
    }
    mo_[x] = after;
  }
  derive(Set::below(static_cast<std::int32_t>(nodes_.size())));
}

void Grown::derive(const Set& readers) {
  readers.each([&](std::int32_t r) {
    const std::int32_t source = nodes_[r].source;
    if (source < 0) return;
    fr_[r] = mo_[source];
    fr_[r].reset(r);
  });
}

Grown::Set Grown::masked(const Letter& letter, std::int32_t x) const {
  Set out = (letter.kind == Letter::kMoStep ? mo_ : fr_)[x];
  if (letter.mask == relations::kLoc) return out;
  Set same;
  const std::int32_t thread = nodes_[x].thread;
  if (thread >= 0)
    same = of_thread_[thread];
  else
    same.set(x);
  if (letter.mask == relations::kInt) return out & same;
  out.remove(same);
  return out;
}

bool Grown::holds(const Witness& witness, std::int32_t e) {
  for (std::int32_t node = read_node_[e]; node <= write_node_[e]; ++node) {
    for (std::int32_t k : walks_.fixed_axioms()) {
      const relations::Axiom& axiom = walks_.file().axioms[k];
      const std::int32_t s = slot(axiom.reg);
      const bool is_set = walks_.file().code[axiom.reg].kind == 1;
      const bool broken = is_set                               ? members_[s].test(node)
                          : axiom.check == relations::kIsEmpty ? column(s, node).any()
                                                               : column(s, node).test(node);
      if (broken) return false;
    }
  }
  apply(witness);
  return !broken_at(e);
}

bool Grown::broken_at(std::int32_t e) {
  for (std::size_t a = 0; a < tables_.size(); ++a)
    for (std::int32_t node = read_node_[e]; node <= write_node_[e]; ++node)
      if (closed(a, node)) return true;
  return false;
}

bool Grown::refuted(const Witness& witness, std::int32_t e) {
  for (std::int32_t x = 0; x < initials_; ++x) {
    Set& all = mo_[x];
    all = Set{};
    for (std::int32_t w : witness[x]) {
      mo_[write_node_[w]] = Set{};
      all.set(write_node_[w]);
    }
  }
  derive(Set::below(static_cast<std::int32_t>(nodes_.size())));
  if (broken_at(e)) return true;
  const Node& node = nodes_[read_node_[e]];
  if (node.source < 0) return false;
  const auto& line = witness[node.loc];
  bool later = false;
  for (std::int32_t w : line) {
    if (later && w != e && forces(line, write_node_[w], node.source) && broken_at(e)) return true;
    later |= write_node_[w] == node.source;
  }
  if (!node.update) return false;
  if (node.source >= initials_) forces(line, write_node_[e], node.source);
  for (std::int32_t w : line) {
    if (w == e || nodes_[read_node_[w]].source != node.source) continue;
    if (node.source >= initials_) forces(line, write_node_[w], node.source);
    if (forces(line, write_node_[w], write_node_[e]) && broken_at(e)) return true;
  }
  return false;
}

// Whether the order of two writes breaks an axiom; then the opposite order is kept. A walk that is closed now
// passes a write that got a successor, or a read of such a write.
bool Grown::forces(const std::vector<std::int32_t>& line, std::int32_t before, std::int32_t after) {
  Set gained;
  for (std::int32_t w : line) saved_[write_node_[w]] = mo_[write_node_[w]];
  order(line, before, after);
  for (std::int32_t w : line) {
    const auto node = static_cast<std::size_t>(write_node_[w]);
    if (!(mo_[node] == saved_[node])) gained.set(write_node_[w]);
  }
  const std::int32_t loc = nodes_[before].loc;
  Set passed = gained;
  of_loc_[loc].each([&](std::int32_t r) {
    const std::int32_t source = nodes_[r].source;
    if (source >= 0 && gained.test(source)) passed.set(r);
  });
  bool broken = false;
  passed.each([&](std::int32_t x) {
    for (std::size_t a = 0; a < tables_.size(); ++a) broken = broken || closed(a, x);
  });
  for (std::int32_t w : line) mo_[write_node_[w]] = saved_[write_node_[w]];
  if (broken)
    order(line, after, before);
  else
    derive(of_loc_[loc]);
  return broken;
}

void Grown::order(const std::vector<std::int32_t>& line, std::int32_t before, std::int32_t after) {
  Set gained = mo_[after];
  gained.set(after);
  for (std::int32_t w : line) {
    Set& later = mo_[write_node_[w]];
    if (write_node_[w] == before || later.test(before)) later.add(gained);
  }
  derive(of_loc_[static_cast<std::size_t>(nodes_[before].loc)]);
}

bool Grown::closed(std::size_t automaton, std::int32_t e) {
  const auto count = static_cast<std::int32_t>(tables_[automaton].size());
  for (std::int32_t p = 0; p < count; ++p) {
    const Set reached = step(automaton, p, e);
    if (reached.any() && closed_from(automaton, e, p, reached)) return true;
  }
  return false;
}

// Whether a walk that leaves e by a letter comes back and closes. It passes from a last letter to a first one: once, or
// at least once. Before that it is in the first half of what is visited, and then in the second.
bool Grown::closed_from(std::size_t which, std::int32_t e, std::int32_t start, const Set& reached) {
  const WalkAutomaton& automaton = walks_.automata()[which];
  const auto count = static_cast<std::int32_t>(automaton.letters.size());
  std::fill_n(visited_.begin(), 2 * count, Set{});
  std::fill_n(waiting_.begin(), 2 * count, Set{});
  agenda_.clear();
  visited_[start] = waiting_[start] = reached;
  agenda_.push_back(start);
  while (!agenda_.empty()) {
    const std::int32_t state = agenda_.back(), p = state % count;
    const bool passed = state >= count;
    agenda_.pop_back();
    const Set here = waiting_[state];
    waiting_[state] = Set{};
    const auto& follow = automaton.follow[p];
    const bool passes = automaton.is_last[p] && (automaton.repeats || !passed);
    if (here.test(e)) {
      if (passed && std::binary_search(follow.begin(), follow.end(), start)) return true;
      if (passes && automaton.is_first[start]) return true;
    }
    auto go = [&](std::int32_t q, bool after) {
      Set next;
      here.each([&](std::int32_t x) { next.add(step(which, q, x)); });
      const std::int32_t to = after ? q + count : q;
      next.remove(visited_[to]);
      if (!next.any()) return;
      visited_[to].add(next);
      if (!waiting_[to].any()) agenda_.push_back(to);
      waiting_[to].add(next);
    };
    for (std::int32_t q : follow) go(q, passed);
    if (passes)
      for (std::int32_t q : automaton.first) go(q, true);
  }
  return false;
}

}  // namespace porf::explore
