#include "explore/recorder.hpp"

namespace porf::explore {

namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t x) {
  h ^= x + 0x9E3779B97F4A7C15u + (h << 6) + (h >> 2);
  h *= 0xD6E8FEB86659FD93u;
  return h ^ h >> 32;
}

// A number of a place. Allocated objects are known by who got them, and as which: other processes have other
// pointers for them.
std::uint64_t key_of(const Runner& runner, std::int32_t loc) {
  std::int64_t pointer = runner.memory()[loc].pointer;
  const Extent& object = runner.memory().object(number_of(pointer));
  if (object.layout < 0) return static_cast<std::uint64_t>(pointer);
  std::uint64_t h = mix(runner.name(object.thread), static_cast<std::uint64_t>(object.number));
  return mix(mix(h, static_cast<std::uint64_t>(object.pc)), static_cast<std::uint64_t>(offset_of(pointer)));
}

Fingerprint fingerprint(const Graph& g, const Runner& runner) {
  Fingerprint sum{0, 0};
  for (std::int32_t e = 0; e < g.size(); ++e) {
    sum.first += fingerprint(g, runner, e, 1);
    sum.second += fingerprint(g, runner, e, 2);
  }
  return sum;
}

// Locks that wait and have no event yet get one, at the end.
void add_waiting(const Graph& g, const Runner& runner, Rows& rows) {
  for (std::int32_t t = 0; t < g.stride; ++t) {
    if (!g.exists[t] || g.pending(t).next != Next::kLock) continue;
    const Pending& p = g.pending(t);
    std::int32_t index = g.last[t] >= 0 ? g[g.last[t]].index + 1 : 0;
    std::int32_t holder = runner.mutex_source(g, p.loc);
    rows.push_back({t, index, EventKind{kRead}, Role::kLock, runner.memory()[p.loc].pointer, p.order, holder,
                    runner.value(g, p.loc, holder), 0, p.pc, -1});
  }
}

Rows rows_of(const Graph& g, const Runner& runner) {
  Rows rows;
  rows.reserve(g.events.size());
  for (std::int32_t e = 0; e < g.size(); ++e) {
    const Event& v = g[e];
    std::int64_t pointer = v.loc >= 0 ? runner.memory()[v.loc].pointer : 0;
    std::int32_t source = runner.overlaps().origin(g, e);
    bool wide = v.loc >= 0 && runner.memory()[v.loc].width > 8;  // then the lower half is shown
    auto shown = [&](std::int64_t value) {
      return runner.memory().unset().open(wide ? runner.memory().asked(Unary::kLow, value) : value).value;
    };
    rows.push_back({v.thread, v.index, EventKind{v.op}, v.role, pointer, v.order, source, shown(v.read),
                    shown(v.written), v.pc, v.other});
  }
  return rows;
}

// The objects that threads have allocated so far; their numbers go on where the program's objects end.
std::vector<Allocated> allocated(const MemoryMap& memory) {
  std::vector<Allocated> out;
  for (std::int64_t number = 1; number <= memory.objects(); ++number) {
    const Extent& extent = memory.object(number);
    if (extent.layout >= 0) out.push_back({extent.thread, extent.number, extent.layout, extent.size});
  }
  return out;
}

BugReport bug_of(Bug kind, const Graph& g, std::int32_t thread, std::int32_t pc, std::int64_t detail = 0) {
  BugReport bug;
  bug.kind = kind;
  bug.event = g.last[thread];
  bug.thread = thread;
  bug.pc = pc;
  bug.detail = detail;
  return bug;
}

// Of reports of the same bug, the lightest is kept, and of those the one with the earliest path.
void take_up(std::vector<BugReport>& bugs, const std::vector<BugReport>& more) {
  std::map<BugIdentity, std::size_t> known;
  for (std::size_t n = 0; n < bugs.size(); ++n) known[bugs[n].identity()] = n;
  for (const BugReport& bug : more) {
    auto [place, is_new] = known.insert({bug.identity(), bugs.size()});
    if (is_new)
      bugs.push_back(bug);
    else if (BugReport& kept = bugs[place->second]; std::tie(bug.weight, bug.path) < std::tie(kept.weight, kept.path))
      kept = bug;
  }
  std::stable_sort(bugs.begin(), bugs.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
}

}  // namespace

std::uint64_t fingerprint(const Graph& g, const Runner& runner, std::int32_t e, std::uint64_t seed) {
  const Event& v = g[e];
  auto name = [&](std::int32_t w) {
    return w < 0 ? static_cast<std::uint64_t>(w + 2)
                 : mix(runner.name(g[w].thread), static_cast<std::uint64_t>(g[w].index));
  };
  std::uint64_t h = mix(seed, name(e));
  h = mix(h, static_cast<std::uint64_t>(v.pc) << 8 | v.op);
  h = mix(h, v.loc >= 0 ? key_of(runner, v.loc) : 0);
  h = mix(h, name(v.rf));
  if (v.op == kChooseOp) h = mix(h, static_cast<std::uint64_t>(v.read));
  return h;
}

void Findings::add(const Findings& found) {
  for (auto count : {&Findings::complete, &Findings::blocked, &Findings::cut, &Findings::erroneous, &Findings::dead,
                     &Findings::graphs, &Findings::spins, &Findings::distinct, &Findings::repeated})
    this->*count += found.*count;
  explored += found.explored;
  std::map<std::vector<std::int64_t>, FinalState> all_states;
  for (FinalState& state : states) all_states[state.values] = std::move(state);
  for (const FinalState& state : found.states) {
    auto [place, is_new] = all_states.insert({state.values, state});
    if (is_new) continue;
    place->second.executions += state.executions;
    place->second.path = std::min(place->second.path, state.path);
  }
  states.clear();
  for (auto& [values, state] : all_states) states.push_back(std::move(state));
  take_up(bugs, found.bugs);
  take_up(refused, found.refused);
  cut_loops.insert(found.cut_loops.begin(), found.cut_loops.end());
  spin_loops.insert(found.spin_loops.begin(), found.spin_loops.end());
  assumptions.insert(found.assumptions.begin(), found.assumptions.end());
  auto append = [](auto& list, const auto& more) { list.insert(list.end(), more.begin(), more.end()); };
  append(executions, found.executions);
  append(stuck, found.stuck);
  append(orders, found.orders);
  append(fingerprints, found.fingerprints);
}

std::size_t Findings::duplicates() const {
  std::vector<Fingerprint> sorted = fingerprints;
  std::sort(sorted.begin(), sorted.end());
  return static_cast<std::size_t>(sorted.end() - std::unique(sorted.begin(), sorted.end()));
}

bool Recorder::asks_forever(const Graph& g) const {
  bool waits = false;
  for (std::int32_t t = 0; t < g.stride; ++t) {
    if (!g.exists[t]) continue;
    Next next = g.pending(t).next;
    if (next == Next::kAssumed || next == Next::kCut || next == Next::kFailed) return false;
    if (next == Next::kSpins && !options_.liveness) return false;
    waits |= next == Next::kSpins || next == Next::kAwaits;
  }
  return waits;
}

void Recorder::leaf(const Graph& g, const std::vector<std::int32_t>& path, bool forever, std::uint64_t orbit,
                    std::uint64_t count, const std::vector<WriteOrder>* orders) {
  runner_.end_execution();
  bool waits = false, stuck = false, cut = false, failed = false, spins = false;
  for (std::int32_t t = 0; t < g.stride; ++t) {
    if (!g.exists[t]) continue;
    const Pending& p = g.pending(t);
    switch (p.next) {
      case Next::kEnded:
        break;
      case Next::kAssumed:
        stuck = true;
        findings.assumptions.insert(p.pc);
        break;
      case Next::kAwaits:
        (forever ? waits : stuck) = true;
        break;
      case Next::kSpins:
        spins = true;
        (forever ? waits : stuck) = true;
        findings.spin_loops.insert(p.pc);
        break;
      case Next::kCut:
        cut = true;
        findings.cut_loops.insert(p.pc);
        break;
      case Next::kFailed:
        failed = true;
        break;
      default:
        waits = true;
        break;
    }
  }
  if (orbit == 0) ++findings.repeated;
  if (options_.self_check) findings.fingerprints.push_back(fingerprint(g, runner_));
  if (failed) {
    ++findings.erroneous;
    return;
  }
  if (cut) {
    ++findings.cut;
    return;
  }
  if (waits && !stuck) {
    ++findings.erroneous;
    std::int32_t first = -1;  // who waits, rather not for another one's end
    for (std::int32_t t = 0; t < g.stride; ++t) {
      if (!g.exists[t] || g.pending(t).next == Next::kEnded) continue;
      if (first < 0 || (g.pending(first).next == Next::kJoin && g.pending(t).next != Next::kJoin)) first = t;
    }
    report(g, bug_of(Bug::kDeadlock, g, first, g.pending(first).pc), path);
    if (options_.collect) keep(findings.stuck, g);
    return;
  }
  if (stuck) {
    findings.blocked += count * orbit;
    findings.spins += spins * orbit;
    if (options_.collect) keep(findings.stuck, g);
    return;
  }
  findings.complete += count * orbit;
  if (orbit > 0) findings.distinct += count;
  if (options_.leaks) find_leaks(g, path);
  if (options_.collect && orders != nullptr) {
    for (const WriteOrder& order : *orders) {
      keep(findings.executions, g);
      findings.orders.push_back(order);
    }
  } else if (options_.collect) {
    keep(findings.executions, g);
  }
  if (!options_.states) return;
  std::vector<std::int64_t> state;
  for (const Watch& w : runner_.program().watched) state.push_back(runner_.watched(g, w));
  auto [place, is_new] = known_states_.insert({state, findings.states.size()});
  if (is_new) findings.states.push_back({std::move(state), 0, path});
  findings.states[place->second].executions += count * orbit;
}

// Heap objects of a complete execution that nobody gave back.
void Recorder::find_leaks(const Graph& g, const std::vector<std::int32_t>& path) {
  const MemoryMap& memory = runner_.memory();
  for (std::int32_t t = 0; t < g.stride; ++t) {
    if (!g.exists[t]) continue;
    for (std::int64_t number = g.state(t)[kLast]; number > 0; number = memory.object(number).previous) {
      if (!MemoryMap::is_heap(memory.object(number)) || g.last_end_of(number) >= 0) continue;
      report(g, bug_of(Bug::kLeak, g, t, memory.object(number).pc, pointer_to(number)), path);
    }
  }
}

void Recorder::keep(std::vector<Rows>& list, const Graph& g) {
  list.push_back(rows_of(g, runner_));
  collected_ += list.back().size() * sizeof(Row);
}

void Recorder::failed(const Graph& g, std::int32_t thread, const std::vector<std::int32_t>& path) {
  const Pending& p = g.pending(thread);
  report(g, bug_of(p.bug, g, thread, p.pc, p.expected), path);
}

void Recorder::conflict(const Graph& g, std::int32_t e, const Conflict& conflict,
                        const std::vector<std::int32_t>& path) {
  BugReport bug = bug_of(conflict.bug, g, g[e].thread, g[e].pc);
  bug.event = e;
  bug.other = conflict.other;
  report(g, bug, path);
}

void Recorder::report(const Graph& g, BugReport bug, const std::vector<std::int32_t>& path) {
  if (bug.other >= 0) bug.other_pc = g[bug.other].pc;
  Blame blame = facts_of(bug.kind).blame;
  std::vector<BugReport>& list = blame != Blame::kUnsupported ? findings.bugs : findings.refused;
  auto [place, is_new] = known_.insert({bug.identity(), list.size()});
  if (!is_new && !options_.lightest) return;
  if (options_.lightest) {
    bool whole = blame == Blame::kExecution || blame == Blame::kNobody;
    Part part = whole ? Part(g) : Part(g, bug.event, bug.other);
    if (!is_new && part.events() > list[place->second].weight.events) return;
    bug.weight = part.weight(g);
    if (!is_new && bug.weight >= list[place->second].weight) return;
  }
  runner_.show_as_is();
  bug.path = path;
  bug.events = rows_of(g, runner_);
  bug.whole = std::all_of(g.forgotten.begin(), g.forgotten.end(), [](auto count) { return count == 0; });
  bug.objects = allocated(runner_.memory());
  if (runner_.program().has(Opcode::kPrint)) bug.printed = runner_.printed(g);
  if (bug.kind == Bug::kDeadlock) add_waiting(g, runner_, bug.events);
  if (is_new)
    list.push_back(std::move(bug));
  else
    list[place->second] = std::move(bug);
}

}  // namespace porf::explore
