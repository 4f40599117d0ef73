#include "explore/symmetry.hpp"

#include <algorithm>
#include <utility>

namespace porf::explore {

namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t x) {
  h = (h ^ x) * 0x9E3779B97F4A7C15u;
  return h ^ h >> 29;
}

std::uint64_t factorial(std::size_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

std::int32_t end_of(const Graph& g, std::int32_t thread) {
  return g.last[thread] >= 0 ? g[g.last[thread]].index + 1 : 0;
}

std::int32_t first_of_group(const Graph& g, std::int32_t thread) {
  while (g.alike[thread] >= 0) thread = g.alike[thread];
  return thread;
}

}  // namespace

void Symmetry::gather(const Graph& g, std::int32_t thread) {
  Line& line = lines_[thread];
  line.resize(static_cast<std::size_t>(end_of(g, thread)));
  for (std::int32_t e = g.last[thread]; e >= 0; e = g[e].prev) line[g[e].index] = e;
}

// Both read from the same write, or each from the write of its own thread at the same place; or chose the same number.
bool Symmetry::same_choice(const Graph& g, std::int32_t e, std::int32_t f) const {
  const Event &v = g[e], &w = g[f];
  auto op = [](const Event& x) { return x.conflict ? static_cast<std::uint8_t>(kUpdate) : x.op; };
  if (op(v) != op(w) || runner_.role_of(v.pc) != runner_.role_of(w.pc)) return false;
  if (v.op == kChooseOp) return v.read == w.read;
  if (v.rf < 0 || w.rf < 0) return v.rf == w.rf;
  bool own = g[v.rf].thread == v.thread, others_own = g[w.rf].thread == w.thread;
  if (own && others_own) return g[v.rf].index == g[w.rf].index;
  return v.rf == w.rf && !own && !others_own;
}

// How many events from the first on are the same choices in two threads.
std::size_t Symmetry::matching(const Graph& g, std::int32_t t, std::int32_t u) const {
  const Line &mine = lines_[t], &others = lines_[u];
  std::size_t most = std::min(mine.size(), others.size()), n = 0;
  while (n < most && same_choice(g, mine[n], others[n])) ++n;
  return n;
}

const Clock* Symmetry::extended(const Graph& g, std::int32_t a) {
  const Clock* clock = g.porf(a);
  members_.clear();
  for (std::int32_t t = 0; t < g.stride; ++t) {
    if (!g.exists[t] || g.alike[t] < 0) continue;
    if (g.alike[g.alike[t]] < 0) gather(g, g.alike[t]);
    gather(g, t);
    members_.push_back(t);
  }
  if (members_.empty()) return clock;
  clock_.assign(clock, clock + g.stride);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::int32_t t : members_) {
      for (std::int32_t u = g.alike[t]; u >= 0 && clock_[t] > 0; u = g.alike[u]) {
        // The first event in which they differ, and of course those before it.
        std::size_t needed = std::min({static_cast<std::size_t>(clock_[t]), lines_[u].size(), matching(g, t, u) + 1});
        if (static_cast<std::size_t>(clock_[u]) >= needed) continue;
        const Clock* more = g.porf(lines_[u][needed - 1]);
        for (std::int32_t n = 0; n < g.stride; ++n) clock_[n] = std::max(clock_[n], more[n]);
        changed = true;
      }
    }
  }
  return clock_.data();
}

template <typename F>
bool Symmetry::each_match(const Graph& g, std::int32_t thread, F admits) {
  gather(g, thread);
  std::size_t n = lines_[thread].size();
  for (std::int32_t u = g.alike[thread]; u >= 0; u = g.alike[u]) {
    if (static_cast<std::size_t>(end_of(g, u)) <= n) continue;
    gather(g, u);
    if (matching(g, thread, u) == n && !admits(lines_[u][n])) return false;
  }
  return true;
}

bool Symmetry::admits_source(const Graph& g, std::int32_t thread, std::int32_t source, bool fails) {
  std::int32_t loc = g.pending(thread).loc;
  return each_match(g, thread, [&](std::int32_t e) {
    if (g[e].loc != loc) return true;  // each reads an object of its own
    if (g[e].rf == source) return !fails || runner_.fails_for_no_reason(g, e);
    return !precedes(g, source, g[e].rf);
  });
}

bool Symmetry::admits_choice(const Graph& g, std::int32_t thread, std::int64_t number) {
  return each_match(g, thread, [&](std::int32_t e) { return g[e].op != kChooseOp || number <= g[e].read; });
}

// Whether a write comes before another one of its location by program order and reads-from at this location alone.
bool Symmetry::precedes(const Graph& g, std::int32_t w, std::int32_t v) {
  if (v < 0) return false;
  if (w < 0) return true;
  if (w == v || !g.before(w, g.porf(v))) return false;
  seen_.assign(static_cast<std::size_t>(g.size()), 0);
  todo_.assign(1, v);
  while (!todo_.empty()) {
    std::int32_t e = todo_.back();
    todo_.pop_back();
    for (std::int32_t f : {g[e].same, g[e].rf}) {
      if (f == w) return true;
      if (f < 0 || seen_[f]) continue;
      seen_[f] = 1;
      todo_.push_back(f);
    }
  }
  return false;
}

void Symmetry::check_join(const Graph& g, std::int32_t e) {
  bool goes_on = g.pending(g[e].thread).next != Next::kJoin;
  std::vector<std::int32_t> joins;
  for (std::int32_t f = e; f >= 0 && g[f].op == kJoinOp; f = g[f].prev) joins.push_back(f);
  for (std::int32_t f : joins) {
    std::int32_t first = first_of_group(g, g[f].other);
    for (std::int32_t t = 0; t < g.stride; ++t) {
      if (t == g[f].other || !g.exists[t] || first_of_group(g, t) != first) continue;
      auto other = std::find_if(joins.begin(), joins.end(), [&](std::int32_t j) { return g[j].other == t; });
      if (other == joins.end() ? goes_on : g[*other].read != g[f].read) throw WrongGuess{Guess::kAlike};
    }
  }
}

// Threads that have others like them, group by group, in their order.
bool Symmetry::find_groups(const Graph& g) {
  groups_.clear();
  for (std::int32_t t = 0; t < g.stride; ++t) {
    if (!g.exists[t] || g.alike[t] < 0) continue;
    if (groups_.empty()) group_.assign(static_cast<std::size_t>(g.stride), -1);
    std::int32_t before = g.alike[t];
    if (group_[before] < 0) {
      group_[before] = static_cast<std::int32_t>(groups_.size());
      groups_.push_back({before});
    }
    group_[t] = group_[before];
    groups_[group_[t]].push_back(t);
  }
  return !groups_.empty();
}

// The longest way to each event by program order and reads-from. Starts that follow one another are as deep, and joins
// add nothing, so that permutations leave it as it is.
void Symmetry::find_depths(const Graph& g) {
  depth_.assign(static_cast<std::size_t>(g.size()), 0);
  for (std::int32_t e : g.arrival) {
    const Event& v = g[e];
    std::int32_t before = g.predecessor(v), deepest = before >= 0 ? depth_[before] : 0;
    if (v.rf >= 0) deepest = std::max(deepest, depth_[v.rf]);
    g.each_awaited(v, [&](std::int32_t awaited) { deepest = std::max(deepest, depth_[awaited]); });
    bool adds = v.op == kSpawnOp ? v.prev < 0 || g[v.prev].op != kSpawnOp : v.op != kJoinOp;
    depth_[e] = deepest + adds;
  }
}

Symmetry::Key Symmetry::key(const Graph& g, std::int32_t e) const {
  const Event& v = g[e];
  std::int64_t choice = v.op == kChooseOp ? -v.read : runner_.fails_for_no_reason(g, e) ? 0 : 1;
  return {depth_[e], v.rf >= 0 ? depth_[v.rf] : 0, choice};
}

std::weak_ordering Symmetry::compare_lines(const Graph& g, std::int32_t t, std::int32_t u) const {
  const Line &mine = lines_[t], &others = lines_[u];
  for (std::size_t n = 0; n < std::min(mine.size(), others.size()); ++n)
    if (auto order = key(g, mine[n]) <=> key(g, others[n]); order != 0) return order;
  return mine.size() <=> others.size();
}

// A number of each thread that is the same in every permutation: what it did, from whom it read, who read from it, as
// far as these have different numbers themselves.
void Symmetry::find_colours(const Graph& g) {
  auto n = static_cast<std::size_t>(g.stride);
  colour_.assign(n, 0);
  for (std::size_t t = 0; t < n; ++t)
    colour_[t] = group_[t] < 0 ? mix(1, t) : mix(2, static_cast<std::size_t>(group_[t]));
  std::size_t known = 0;
  while (true) {
    read_.assign(n, 0);
    next_.assign(n, 0);
    for (std::size_t t = 0; t < n; ++t) {
      std::uint64_t h = colour_[t];
      for (std::int32_t e : g.exists[t] ? lines_[t] : Line()) {
        const Event& v = g[e];
        if (v.op == kJoinOp) continue;
        h = mix(h, static_cast<std::uint64_t>(runner_.role_of(v.pc)) << 8 | v.op);
        if (v.op == kChooseOp) h = mix(h, static_cast<std::uint64_t>(v.read));
        if (v.rf < 0) continue;
        std::uint64_t index = static_cast<std::uint64_t>(g[v.rf].index) << 32 | static_cast<std::uint64_t>(v.index);
        std::int32_t source = g[v.rf].thread;
        h = mix(h, mix(source == v.thread ? 3 : colour_[source], index));
        if (source != v.thread) read_[source] += mix(colour_[t], index);
      }
      next_[t] = h;
    }
    for (std::size_t t = 0; t < n; ++t) colour_[t] = mix(next_[t], read_[t]);
    std::vector<std::uint64_t> different(colour_);
    std::sort(different.begin(), different.end());
    auto count = static_cast<std::size_t>(std::unique(different.begin(), different.end()) - different.begin());
    if (count <= known) return;
    known = count;
  }
}

// The graph in which thread to_[t] does what thread t does in this one, against this one.
std::weak_ordering Symmetry::compare_permuted(const Graph& g) {
  from_.resize(to_.size());
  for (std::size_t t = 0; t < to_.size(); ++t) from_[to_[t]] = static_cast<std::int32_t>(t);
  auto source = [&](std::int32_t e, bool permuted) {
    std::int32_t w = g[e].rf;
    if (w < 0) return std::pair{w, 0};
    return std::pair{permuted ? to_[g[w].thread] : g[w].thread, g[w].index};
  };
  auto what = [&](const Event& v) { return std::pair{v.op, runner_.role_of(v.pc)}; };
  for (std::int32_t t = 0; t < g.stride; ++t) {
    if (!g.exists[t]) continue;
    const Line &here = lines_[t], &there = lines_[from_[t]];
    if (here.size() != there.size()) return there.size() <=> here.size();
    for (std::size_t n = 0; n < here.size(); ++n) {
      const Event &v = g[here[n]], &w = g[there[n]];
      if (v.op == kJoinOp && w.op == kJoinOp) continue;
      if (auto order = what(w) <=> what(v); order != 0) return order;
      if (v.op == kChooseOp && v.read != w.read) return w.read <=> v.read;
      if (auto order = source(there[n], true) <=> source(here[n], false); order != 0) return order;
    }
  }
  return std::weak_ordering::equivalent;
}

// How many permutations of threads that tie leave the graph as it is; 0 if one makes it smaller.
std::uint64_t Symmetry::automorphisms(const Graph& g, const std::vector<Order>& ties) {
  to_.resize(static_cast<std::size_t>(g.stride));
  for (std::size_t t = 0; t < to_.size(); ++t) to_[t] = static_cast<std::int32_t>(t);
  std::uint64_t product = 1;
  bool all = true;  // every permutation
  for (const Order& tie : ties) {
    for (std::size_t n = 1; n < tie.size() && all; ++n) {
      std::swap(to_[tie[n - 1]], to_[tie[n]]);
      all = compare_permuted(g) == 0;
      std::swap(to_[tie[n - 1]], to_[tie[n]]);
    }
    product *= factorial(tie.size());
  }
  if (all) return product;
  std::vector<Order> now = ties;
  std::uint64_t same = 0;
  while (true) {
    for (std::size_t n = 0; n < ties.size(); ++n)
      for (std::size_t m = 0; m < ties[n].size(); ++m) to_[ties[n][m]] = now[n][m];
    std::weak_ordering order = compare_permuted(g);
    if (order < 0) return 0;
    if (order == 0) ++same;
    std::size_t n = 0;
    while (n < now.size() && !std::next_permutation(now[n].begin(), now[n].end())) ++n;
    if (n == now.size()) return same;
  }
}

std::uint64_t Symmetry::size_of_orbit(const Graph& g) {
  for (std::int32_t t = 0; t < g.stride; ++t)
    if (g.exists[t]) gather(g, t);
  find_depths(g);
  std::uint64_t all = 1;
  std::vector<Order> ties;
  for (const Order& group : groups_) {
    all *= factorial(group.size());
    for (std::size_t n = 1; n < group.size(); ++n) {
      std::weak_ordering order = compare_lines(g, group[n - 1], group[n]);
      if (order > 0) return 0;
      if (order != 0) continue;
      if (ties.empty() || ties.back().back() != group[n - 1]) ties.push_back({group[n - 1]});
      ties.back().push_back(group[n]);
    }
  }
  if (ties.empty()) return all;
  find_colours(g);
  std::vector<Order> open;
  for (const Order& tie : ties) {
    for (std::size_t n = 1; n < tie.size(); ++n) {
      if (colour_[tie[n - 1]] > colour_[tie[n]]) return 0;
      if (colour_[tie[n - 1]] != colour_[tie[n]]) continue;
      if (open.empty() || open.back().back() != tie[n - 1]) open.push_back({tie[n - 1]});
      open.back().push_back(tie[n]);
    }
  }
  std::uint64_t same = automorphisms(g, open);
  return same == 0 ? 0 : all / same;
}

}  // namespace porf::explore
