// Loops whose iterations change nothing: which of them are kept, because what they access could conflict with what
// comes after. docs/design/exploration.md has the proof that the others may go.
#include <algorithm>

#include "explore/runner.hpp"

namespace porf::explore {

static constexpr std::int32_t kFailuresInARow =
    3;  // of one weak operation, in a loop whose iterations change something

// Runs the machine. An iteration that changes nothing ends the run, unless it is kept: then the loop goes on.
Pending Runner::advance(const Graph& g, const Machine::Who& who, std::int32_t after, std::int64_t* state,
                        std::int32_t pc, std::vector<Printed>* prints) const {
  Pending pending = machine_.run(who, state, pc, prints);
  while (unordered_ && pending.next == Next::kSpins) {
    const Instruction& back = program_.code[static_cast<std::size_t>(pending.pc)];
    if (back.opcode != Opcode::kBack || !keeps(g, after, state, back)) break;
    state[kKept] = who.events;
    pending = machine_.run(who, state, back.c, prints);
  }
  return pending;
}

// Whether an iteration that changes nothing is kept. Without it, an access of it could be missed that conflicts with
// what comes after the loop, unless an access that stays conflicts as well. A conflict has one event of a thread, so a
// thread keeps one iteration, and those around it.
bool Runner::keeps(const Graph& g, std::int32_t after, const std::int64_t* state, const Instruction& back) const {
  std::int64_t begin = state[state[kBase] + back.b + 2];
  if (state[kKept] != 0) return state[kKept] > begin;
  iteration_.clear();
  for (std::int32_t e = after; e >= 0 && g[e].index >= begin; e = g[e].prev) iteration_.push_back(e);
  std::reverse(iteration_.begin(), iteration_.end());
  std::vector<std::int32_t>& stays = staying_;
  find_staying(g, static_cast<Back>(back.kind) == Back::kVisible);
  auto is_covered = [&](const Event& v) {
    return std::any_of(stays.begin(), stays.end(), [&](std::int32_t s) {
      return g[s].loc == v.loc && (v.order != kNa || g[s].order == kNa) &&
             (!v.writes() || program_.code[static_cast<std::size_t>(g[s].pc)].opcode == Opcode::kRmw);
    });
  };
  return std::any_of(iteration_.begin(), iteration_.end(), [&](std::int32_t e) {
    const Event& v = g[e];
    return v.loc >= 0 && !memory_.object(number_of(memory_[v.loc].pointer)).raceless && !is_covered(v);
  });
}

// The accesses of an iteration that are still there, at the same locations, when it is left out. In a loop that
// retries, that is what it tries. In others, the next iteration begins in the same way: with its plain reads, which
// read the same if nothing was released in between, and the first atomic access.
void Runner::find_staying(const Graph& g, bool retries) const {
  staying_.clear();
  auto opcode = [&](std::int32_t e) { return program_.code[static_cast<std::size_t>(g[e].pc)].opcode; };
  if (retries) {
    for (std::int32_t e : iteration_)
      if (opcode(e) == Opcode::kCas) staying_.assign(1, e);
    return;
  }
  bool released = std::any_of(iteration_.begin(), iteration_.end(), [&](std::int32_t e) {
    return (g[e].op == kFence || g[e].op == kUpdate) && (careful_ || releases(g[e].order));
  });
  for (std::int32_t e : iteration_) {
    if (g[e].op == kFence) continue;
    staying_.push_back(e);
    if (released || g[e].order != kNa || g[e].loc < 0) return;
  }
}

// A failure that leads back to the beginning of its iteration, which could be left out, is left out at once. But a
// failure that could be in a race is an event that a success need not replace.
bool Runner::may_fail(const Graph& g, std::int32_t thread, std::int32_t after, std::int64_t value,
                      std::set<std::int32_t>& too_often) const {
  const Pending& p = after >= 0 ? g.after[static_cast<std::size_t>(after)] : g.begin_pending[thread];
  if (!p.weak) return false;
  tried_.resize(static_cast<std::size_t>(slots_));
  std::int64_t* state = tried_.data();
  const std::int64_t* before = after >= 0 ? &g.states[static_cast<std::size_t>(after) * slots_]
                                          : &g.begin_state[static_cast<std::size_t>(thread) * slots_];
  Graph::copy_state(state, before);
  Machine::Who who{thread, after >= 0 ? g[after].index + 2 : 1, after >= 0 ? g[after].effect : 0};
  Pending next = machine_.run(who, state, machine_.finish(state, p.pc, value, false, p.width));
  if (next.next == Next::kSpins) {
    if (!unordered_) return false;
    bool raceless = p.loc < 0 || memory_.object(number_of(memory_[p.loc].pointer)).raceless;
    if (raceless && !keeps(g, after, state, program_.code[static_cast<std::size_t>(next.pc)])) return false;
  }
  std::int32_t failures = 0;
  for (std::int32_t e = after; e >= 0; e = g[e].prev) {
    if (g[e].pc != p.pc) continue;
    if (!fails_for_no_reason(g, e) && !chose_later(g, e)) break;
    if (++failures < kFailuresInARow) continue;
    too_often.insert(p.pc);
    return false;
  }
  return true;
}

// A plain store of what its place holds already: the thread's last access of it had the same value, and since then the
// thread has released nothing, so that no other store can have come between without a race.
bool Runner::stores_the_same(const Graph& g, std::int32_t e) const {
  const Event& v = g[e];
  if (v.op != kWrite || v.order != kNa) return false;
  std::int32_t left = 32;  // events; more are not worth the time
  for (std::int32_t o = v.prev; o >= 0 && left > 0; o = g[o].prev, --left) {
    const Event& before = g[o];
    if (before.loc == v.loc)
      return before.order == kNa && v.written == (before.writes() ? before.written : before.read);
    if (before.op != kRead && (before.op != kWrite || before.order != kNa)) return false;
  }
  return false;
}

}  // namespace porf::explore
