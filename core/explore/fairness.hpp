// Whether the threads that wait in a graph may do so for ever. A fair execution lets every write reach every thread
// after some time, so a loop without end goes on to read the last write of each location in the modification order. The
// graph stands for such an execution if the model allows an order whose last values leave all these threads waiting.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "explore/engine.hpp"
#include "explore/runner.hpp"

namespace porf::explore {

template <Engine Consistency>
class Fairness {
 public:
  Fairness(const Runner& runner, Consistency& engine, std::int32_t level)
      : runner_(runner), engine_(engine), level_(level) {}

  // The graph is the same afterwards. Of several that show the same, only one is said to in which the last iterations
  // read the last values.
  bool waits_forever(Graph& g) {
    waiters_.clear();
    for (std::int32_t t = 0; t < g.stride; ++t)
      if (g.exists[t] && (g.pending(t).next == Next::kSpins || g.pending(t).next == Next::kAwaits))
        waiters_.push_back(waiter(g, t));
    if (waiters_.empty()) return true;
    std::int32_t size = g.size();
    observer_ = waiters_.front().who.thread;
    for (std::int32_t t = 0; t < g.stride; ++t) {
      if (!g.exists[t] || t == observer_) continue;
      Event join;
      join.thread = observer_;
      join.op = kJoinOp;
      join.other = t;
      engine_.push(g, level_, g.append(join));
    }
    last_.clear();
    bool found = search(g);
    while (g.size() > size) {
      engine_.pop(g, level_, g.size() - 1);
      g.pop();
    }
    return found;
  }

 private:
  static constexpr int kRounds = 3;         // a loop that has come back so often always will
  static constexpr int kMostEvents = 1000;  // of one thread
  static constexpr std::int64_t kMostChoices = 64;

  using Place = std::pair<std::int32_t, std::int32_t>;  // of whom, and the location

  // A thread that waits: from where it tries again.
  struct Waiter {
    Machine::Who who;
    std::vector<std::int64_t> state;
    Pending next;
    std::vector<std::pair<std::int32_t, std::int64_t>> seen;  // what it has read in vain: location and value
  };

  // A thread that tries again, alone: what it writes is seen by nobody else.
  struct Attempt {
    Machine::Who who;
    std::vector<std::int64_t> state;
    Pending next;
    std::map<std::int32_t, std::int64_t> written;
    int rounds = 0, events = 0;
  };

  enum class Fate : std::uint8_t { kWaits, kLeaves, kAsks };

  Waiter waiter(const Graph& g, std::int32_t t) const {
    const Pending& p = g.pending(t);
    std::int32_t last = g.last[t];
    Waiter out;
    out.who = {t, last >= 0 ? g[last].index + 1 : 0, last >= 0 ? g[last].effect : 0};
    const std::int64_t* state = g.state(t);
    out.next = p;
    if (p.next == Next::kAwaits && last >= 0 && g[last].reads()) {
      state = g.state_before(last);
      out.next = g.pending_before(last);
    }
    out.state.assign(state, state + state[kTop]);
    out.state[kShadow] = 0;
    std::int64_t first = out.who.events - 1;
    const Instruction& stop = runner_.program().code[static_cast<std::size_t>(p.pc)];
    if (stop.opcode == Opcode::kBack) first = state[state[kBase] + stop.b + 2];  // what the loop's head has noted
    for (std::int32_t e = last; e >= 0 && g[e].index >= first; e = g[e].prev)
      if (g[e].reads()) out.seen.push_back({g[e].loc, g[e].read});
    return out;
  }

  // Without a modification order, each thread may have a last write of its own.
  Place place(std::int32_t thread, std::int32_t loc) const { return {OrderedEngine<Consistency> ? -1 : thread, loc}; }

  // Whether the last writes that are known, with some for the other locations that matter, leave all threads waiting.
  bool search(Graph& g) {
    for (const Waiter& w : waiters_) {
      Attempt attempt{w.who, w.state, w.next, {}};
      attempt.state.resize(static_cast<std::size_t>(g.slots));
      switch (fate(g, attempt)) {
        case Fate::kWaits:
          break;
        case Fate::kLeaves:
          return false;
        case Fate::kAsks:
          return search_with(g, place(w.who.thread, asked_));
      }
    }
    for (const Waiter& w : waiters_)
      for (auto [loc, value] : w.seen)
        if (auto it = last_.find(place(w.who.thread, loc)); it != last_.end() && it->second != value) return false;
    return true;
  }

  // The same, for each write that may be the last of a location: whoever comes after all threads may read it.
  bool search_with(Graph& g, Place at) {
    std::vector<std::int32_t> writes{kInitial};
    for (std::int32_t e = g.last_at(at.second); e >= 0; e = g[e].at)
      if (g[e].writes()) writes.push_back(e);
    for (std::int32_t w : writes) {
      Event read;
      read.thread = observer_;
      read.op = kRead;
      read.order = kRlx;
      read.loc = at.second;
      read.rf = w;
      read.read = runner_.value(g, at.second, w);
      std::int32_t e = g.append(read);
      bool found = false;
      if (engine_.try_push(g, level_, e)) {
        last_[at] = read.read;
        found = search(g);
        last_.erase(at);
        engine_.pop(g, level_, e);
      }
      g.pop();
      if (found) return true;
    }
    return false;
  }

  // What becomes of a thread that reads the last values. kAsks: that of `asked_` is needed.
  Fate fate(const Graph& g, Attempt& a) {
    while (true) {
      switch (a.next.next) {
        case Next::kAwaits:
          return Fate::kWaits;
        case Next::kFailed:
          return a.next.bug == Bug::kEndless ? ends(a) : Fate::kLeaves;
        case Next::kSpins:
          if (++a.rounds > kRounds) return ends(a);
          go_on(g, a, again(a.next.pc));
          break;
        case Next::kChoose:
          return fate_of_choices(g, a);
        case Next::kFence:
          finish(g, a, 0, false);
          break;
        case Next::kStore:
        case Next::kUnlock:
          a.written[a.next.loc] = a.next.next == Next::kStore ? a.next.value : 0;
          finish(g, a, 0, false);
          break;
        case Next::kLoad:
        case Next::kRmw:
        case Next::kCas:
        case Next::kTry:
        case Next::kLock: {
          std::optional<std::int64_t> value = value_of(a);
          if (!value) return Fate::kAsks;
          if (a.next.next == Next::kLoad && a.next.kind == kRecalls) return Fate::kLeaves;  // that was known to be last
          std::int64_t written = 0;
          bool writes = Machine::modify(a.next, *value, written);
          if (a.next.next == Next::kLock && !writes) return Fate::kWaits;
          if (writes) a.written[a.next.loc] = written;
          finish(g, a, *value, writes);
          break;
        }
        default:
          return Fate::kLeaves;
      }
    }
  }

  // A choice is made again and again, and not always in the same way: the thread waits if it does whatever it chooses.
  Fate fate_of_choices(const Graph& g, const Attempt& a) {
    std::int64_t least = a.next.expected, most = a.next.value;
    if (most - least >= kMostChoices) return Fate::kLeaves;
    for (std::int64_t n = least; n <= most; ++n) {
      Attempt other = a;
      finish(g, other, n, false);
      if (Fate found = fate(g, other); found != Fate::kWaits) return found;
    }
    return Fate::kWaits;
  }

  // The thread has come back again: it waits, if all that it has written is as it was.
  Fate ends(const Attempt& a) {
    for (auto [loc, value] : a.written) {
      std::optional<std::int64_t> last = last_value(a, loc);
      if (!last) return Fate::kAsks;
      if (*last != value) return Fate::kLeaves;
    }
    return Fate::kWaits;
  }

  std::optional<std::int64_t> value_of(const Attempt& a) {
    auto it = a.written.find(a.next.loc);
    return it != a.written.end() ? it->second : last_value(a, a.next.loc);
  }

  std::optional<std::int64_t> last_value(const Attempt& a, std::int32_t loc) {
    if (auto it = last_.find(place(a.who.thread, loc)); it != last_.end()) return it->second;
    asked_ = loc;
    return std::nullopt;
  }

  // Where a thread that has stopped tries again: at the head of the loop, or after the mark of its end.
  std::int32_t again(std::int32_t pc) const {
    const Instruction& stop = runner_.program().code[static_cast<std::size_t>(pc)];
    return stop.opcode == Opcode::kBack ? stop.c : pc + 1;
  }

  void finish(const Graph& g, Attempt& a, std::int64_t read, bool wrote) const {
    std::uint8_t width = a.next.loc >= 0 ? runner_.memory()[a.next.loc].width : 0;
    go_on(g, a, runner_.machine().finish(a.state.data(), a.next.pc, read, wrote, width));
  }

  void go_on(const Graph& g, Attempt& a, std::int32_t pc) const {
    ++a.who.events;
    a.next = ++a.events > kMostEvents ? Pending{.next = Next::kCut} : runner_.machine().run(a.who, a.state.data(), pc);
    if (a.next.loc >= 0 && !runner_.memory().rivals(a.next.loc).empty())
      runner_.overlaps().renew(g, a.who.thread, g.last[observer_], a.next);
  }

  const Runner& runner_;
  Consistency& engine_;
  std::int32_t level_;
  std::int32_t observer_ = 0;
  std::int32_t asked_ = -1;
  std::vector<Waiter> waiters_;
  std::map<Place, std::int64_t> last_;  // values
};

}  // namespace porf::explore
