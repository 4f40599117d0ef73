#include "walks/product.hpp"

#include <algorithm>

namespace porf::walks {

Product::Product(const Nodes& nodes, const Automaton& automaton, const StepLists& steps, bool everywhere,
                 Budget& budget)
    : nodes_(nodes), automaton_(automaton), states_(automaton.states()) {
  const std::size_t all = static_cast<std::size_t>(size());
  if (!budget.hold(all * 20)) return;
  const std::int32_t hub = automaton.hub();
  there_.assign(all, 0);
  for (std::int32_t e = 0; e < nodes.size() && budget.spend(); ++e) {
    bool ends = everywhere;
    for (std::int32_t s = 0; s < hub; ++s) {
      const bool reached = steps[automaton.letters[s]].leads_to(e);
      // Where a step by the modification order may lead yet, its end is wanted.
      if (!reached && !(automaton.dynamic(s) && nodes.writes[e])) continue;
      there_[number(e, s)] = reached;
      for (const auto& move : automaton.moves[s]) ends |= move.to == hub && selected(nodes, e, move.test);
    }
    there_[number(e, hub)] = ends;
  }
  if (budget.spent()) return;
  start_.assign(all + 1, 0);
  incoming_.assign(all, 0);
  for (std::int32_t v = 0; v < size(); ++v) {
    if (v % 64 == 0 && !budget.spend()) return;
    if (!there_[v]) continue;
    ++present_;
    each_edge(steps, v, [&](std::int32_t u) {
      ++start_[v + 1];
      ++incoming_[u];
    });
  }
  for (std::size_t v = 0; v < all; ++v) start_[v + 1] += start_[v];
  if (!budget.hold(all * 20 + start_.back() * sizeof(std::int32_t))) return;
  target_.resize(start_.back());
  for (std::int32_t v = 0; v < size(); ++v) {
    if (v % 64 == 0 && !budget.spend()) return;
    if (!there_[v]) continue;
    std::uint32_t at = start_[v];
    each_edge(steps, v, [&](std::int32_t u) { target_[at++] = u; });
  }
  sort(budget);
}

template <typename Visit>
void Product::each_edge(const StepLists& steps, std::int32_t v, Visit&& visit) const {
  const auto [e, s] = place(v);
  for (const auto& move : automaton_.moves[s]) {
    if (!selected(nodes_, e, move.test)) continue;
    if (move.to == automaton_.hub()) {
      visit(number(e, move.to));
    } else {
      for (std::int32_t f : steps[automaton_.letters[move.to]].from(e)) visit(number(f, move.to));
    }
  }
}

void Product::sort(Budget& budget) {
  order_.reserve(present_);
  for (std::int32_t root = 0; root < size(); ++root) {
    if (!there_[root] || incoming_[root] != 0) continue;
    std::size_t next = order_.size();
    order_.push_back(root);
    incoming_[root] = -1;
    for (; next < order_.size(); ++next) {
      if (next % 64 == 0 && !budget.spend()) return;
      each_target(order_[next], [&](std::int32_t u) {
        if (--incoming_[u] != 0) return;
        order_.push_back(u);
        incoming_[u] = -1;
      });
    }
  }
  placed_ = order_.size();
}

// Tarjan's algorithm on what could not be placed: per place the number of its component, -1 for a single place.
Ints Product::components(Budget& budget) const {
  Ints component(static_cast<std::size_t>(size()), -1), low(static_cast<std::size_t>(size()), 0), stack;
  std::vector<std::pair<std::int32_t, std::uint32_t>> path;
  std::int32_t clock = 0, found = 0;
  Large<std::uint8_t> open(static_cast<std::size_t>(size()), 0);
  Ints index(static_cast<std::size_t>(size()), 0);
  auto enter = [&](std::int32_t v) {
    index[v] = low[v] = ++clock;
    open[v] = 1;
    stack.push_back(v);
    path.emplace_back(v, start_[v]);
  };
  for (std::int32_t root = 0; root < size(); ++root) {
    if (!there_[root] || incoming_[root] <= 0 || index[root] != 0) continue;
    enter(root);
    while (!path.empty() && budget.spend()) {
      auto& [v, next] = path.back();
      if (next < start_[v + 1]) {
        const std::int32_t u = target_[next++];
        if (incoming_[u] <= 0) continue;
        if (index[u] == 0)
          enter(u);
        else if (open[u])
          low[v] = std::min(low[v], index[u]);
        continue;
      }
      const std::int32_t done = v;
      path.pop_back();
      if (!path.empty()) low[path.back().first] = std::min(low[path.back().first], low[done]);
      if (low[done] != index[done]) continue;
      const bool single = stack.back() == done;
      for (std::int32_t u = -1; u != done;) {
        u = stack.back();
        stack.pop_back();
        open[u] = 0;
        component[u] = single ? -1 : found;
      }
      found += !single;
    }
  }
  return component;
}

std::vector<std::vector<Place>> Product::cycles(std::size_t most, Budget& budget) const {
  std::vector<std::vector<Place>> out;
  if (acyclic() || budget.spent()) return out;
  const Ints component = components(budget);
  Ints hubs;
  for (std::int32_t e = 0; e < nodes_.size(); ++e)
    if (component[number(e, automaton_.hub())] >= 0) hubs.push_back(number(e, automaton_.hub()));
  // Spread over all of them: cycles that are near each other say the same. For an irreflexive relation each is tried.
  const std::size_t stride = std::max<std::size_t>(1, hubs.size() / most);
  Ints parent(static_cast<std::size_t>(size()), -1), touched;
  Large<std::uint8_t> passed(static_cast<std::size_t>(size()), 0);
  for (std::size_t turn = 0; turn < stride && out.size() < most; ++turn)
    for (std::size_t i = turn; i < hubs.size() && out.size() < most && !budget.spent(); i += stride) {
      if (passed[hubs[i]]) continue;
      std::vector<Place> cycle = cycle_through(hubs[i], component, parent, touched, budget);
      if (cycle.empty()) continue;
      for (const Place& p : cycle)
        if (p.state == automaton_.hub()) passed[number(p.event, p.state)] = 1;
      out.push_back(std::move(cycle));
    }
  return out;
}

// Breadth first, within the hub's component.
std::vector<Place> Product::cycle_through(std::int32_t hub, const Ints& component, Ints& parent, Ints& touched,
                                          Budget& budget) const {
  std::vector<Place> cycle;
  touched.assign(1, hub);
  for (std::size_t head = 0; head < touched.size() && cycle.empty() && budget.spend(); ++head) {
    const std::int32_t v = touched[head];
    each_target(v, [&](std::int32_t u) {
      if (!cycle.empty() || component[u] != component[hub]) return;
      if (u == hub) {
        for (std::int32_t w = v; w != hub; w = parent[w]) cycle.push_back(place(w));
        cycle.push_back(place(hub));
        std::reverse(cycle.begin(), cycle.end());
        return;
      }
      if (parent[u] != -1 || (is_hub(u) && !automaton_.repeats)) return;
      parent[u] = v;
      touched.push_back(u);
    });
  }
  for (std::int32_t v : touched) parent[v] = -1;
  return cycle;
}

}  // namespace porf::walks
