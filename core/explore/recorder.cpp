#include "explore/recorder.hpp"

#include <tuple>

namespace porf::explore {

namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t x) {
  h ^= x + 0x9E3779B97F4A7C15u + (h << 6) + (h >> 2);
  h *= 0xD6E8FEB86659FD93u;
  return h ^ h >> 32;
}

// A number of the class of (po, rf): it does not depend on the order in which events were added.
std::pair<std::uint64_t, std::uint64_t> fingerprint(const Graph& g, const Runner& runner) {
  std::pair<std::uint64_t, std::uint64_t> sum{0, 0};
  for (std::int32_t e = 0; e < g.size(); ++e) {
    const Event& v = g[e];
    auto name = [&](std::int32_t w) {
      return w < 0 ? static_cast<std::uint64_t>(w + 2)
                   : runner.rank()[g[w].thread] << 16 | static_cast<std::uint64_t>(g[w].index) << 2 | 3;
    };
    for (std::uint64_t seed : {1, 2}) {
      std::uint64_t h = mix(seed, name(e));
      h = mix(h, static_cast<std::uint64_t>(v.pc) << 8 | v.op);
      h = mix(h, v.loc >= 0 ? static_cast<std::uint64_t>(runner.memory()[v.loc].pointer) : 0);
      h = mix(h, name(v.rf));
      (seed == 1 ? sum.first : sum.second) += h;
    }
  }
  return sum;
}

}  // namespace

std::vector<std::int64_t> columns(const Graph& g, const Runner& runner) {
  std::vector<std::int64_t> out;
  out.reserve(static_cast<std::size_t>(g.size()) * kColumns);
  for (const Event& v : g.events) {
    std::int64_t pointer = v.loc >= 0 ? runner.memory()[v.loc].pointer : 0;
    out.insert(out.end(), {v.thread, v.index, v.op | static_cast<int>(v.role) << 8, pointer, v.order, v.rf,
                           v.read, v.written, v.pc, v.other, v.op <= kFence});
  }
  return out;
}

void Recorder::leaf(const Graph& g, const std::vector<std::int32_t>& path, std::uint64_t count,
                    const std::vector<WriteOrder>* orders) {
  bool waits = false, stuck = false, cut = false, failed = false, spins = false;
  for (std::int32_t t = 0; t < g.stride; ++t) {
    if (!g.exists[t]) continue;
    const Pending& p = g.pending(t);
    switch (p.next) {
      case Next::kEnded:
        break;
      case Next::kAssumed:
        stuck = true;
        break;
      case Next::kSpins:
        stuck = spins = true;
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
  if (options_.self_check) {
    auto [first, second] = fingerprint(g, runner_);
    findings.fingerprints.insert(findings.fingerprints.end(), {first, second});
  }
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
    for (std::int32_t t = 0; t < g.stride; ++t) {
      if (!g.exists[t] || g.pending(t).next == Next::kEnded) continue;
      BugReport bug;
      bug.bug = Bug::kDeadlock;
      bug.thread = t;
      bug.event = g.last[t];
      bug.pc = g.pending(t).pc;
      report(g, bug, path);
      break;
    }
    if (options_.collect) keep(findings.stuck, g);
    return;
  }
  if (stuck) {
    findings.blocked += count;
    findings.spins += spins;
    if (options_.collect) keep(findings.stuck, g);
    return;
  }
  findings.complete += count;
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
  for (const Watch& w : runner_.program().watched) state.push_back(g.state(w.thread)[w.reg]);
  findings.states[state] += count;
}

void Recorder::keep(std::vector<std::vector<std::int64_t>>& list, const Graph& g) {
  list.push_back(columns(g, runner_));
  collected_ += list.back().size() * sizeof(std::int64_t);
}

void Recorder::failed(const Graph& g, std::int32_t thread, const std::vector<std::int32_t>& path) {
  const Pending& p = g.pending(thread);
  BugReport bug;
  bug.bug = p.bug;
  bug.thread = thread;
  bug.event = g.last[thread];
  bug.pc = p.pc;
  bug.detail = p.expected;
  report(g, bug, path);
}

void Recorder::race(const Graph& g, std::int32_t e, std::int32_t other,
                    const std::vector<std::int32_t>& path) {
  BugReport bug;
  bug.bug = Bug::kRace;
  bug.thread = g[e].thread;
  bug.event = e;
  bug.pc = g[e].pc;
  bug.other = other;
  report(g, bug, path);
}

void Recorder::report(const Graph& g, BugReport bug, const std::vector<std::int32_t>& path) {
  std::int32_t a = bug.pc, b = bug.other >= 0 ? g[bug.other].pc : -1;
  if (b > a) std::swap(a, b);
  if (!known_.insert({bug.bug, a, b}).second) return;
  bug.path = path;
  bug.events = columns(g, runner_);
  findings.bugs.push_back(std::move(bug));
}

}  // namespace porf::explore
