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
    if (back.opcode != Opcode::kBack || !keeps(g, after, nullptr, state, back)) break;
    state[kKept] = who.events;
    pending = machine_.run(who, state, back.c, prints);
  }
  return pending;
}

bool Runner::may_repeat(const Graph& g, std::int32_t thread) const {
  const Instruction& back = program_.code[static_cast<std::size_t>(g.pending(thread).pc)];
  if (back.opcode != Opcode::kBack) return false;
  const std::int64_t* state = g.state(thread);
  std::int64_t begin = state[state[kBase] + back.b + 2];
  return static_cast<Back>(back.kind) == Back::kVisible || g.count_before(g[g.last[thread]]) > begin;
}

void Runner::repeat(Graph& g, std::int32_t thread) {
  std::int32_t e = g.last[thread];
  Pending& pending = g.after[static_cast<std::size_t>(e)];
  std::int32_t begin = program_.code[static_cast<std::size_t>(pending.pc)].c;
  run(g, {thread, g.count_before(g[e]) + 1, g[e].effect}, e, g.state_after(e), begin, pending);
}

// Whether an iteration that changes nothing is kept. Without it, an access of it could be missed that conflicts with
// what comes after the loop, unless an access that stays conflicts as well. A conflict has one event of a thread, so a
// thread keeps one iteration, and those around it. `newest`, if it is there, comes after the graph's event.
bool Runner::keeps(const Graph& g, std::int32_t after, const Event* newest, const std::int64_t* state,
                   const Instruction& back) const {
  std::int64_t begin = state[state[kBase] + back.b + 2];
  if (state[kKept] != 0) return state[kKept] > begin;
  iteration_.clear();
  if (newest != nullptr) iteration_.push_back(newest);
  for (std::int32_t e = after; e >= 0 && g.count_before(g[e]) >= begin; e = g[e].prev) iteration_.push_back(&g[e]);
  std::reverse(iteration_.begin(), iteration_.end());
  find_staying(static_cast<Back>(back.kind) == Back::kVisible);
  auto is_covered = [&](const Event& v) {
    return std::any_of(staying_.begin(), staying_.end(), [&](const Event* s) {
      return s->loc == v.loc && (v.order != kNa || s->order == kNa) &&
             (!v.writes() || program_.code[static_cast<std::size_t>(s->pc)].opcode == Opcode::kRmw);
    });
  };
  return std::any_of(iteration_.begin(), iteration_.end(), [&](const Event* e) {
    return e->loc >= 0 && !memory_.object(number_of(memory_[e->loc].pointer)).raceless && !is_covered(*e);
  });
}

// The accesses of an iteration that are still there, at the same locations, when it is left out. In a loop that
// retries, that is what it tries. In others, the next iteration begins in the same way: with its plain reads, which
// read the same if nothing was released in between, and the first atomic access.
void Runner::find_staying(bool retries) const {
  staying_.clear();
  if (retries) {
    for (const Event* e : iteration_)
      if (program_.code[static_cast<std::size_t>(e->pc)].opcode == Opcode::kCas) staying_.assign(1, e);
    return;
  }
  bool released = std::any_of(iteration_.begin(), iteration_.end(), [&](const Event* e) {
    return (e->op == kFence || e->op == kUpdate) && (careful_ || releases(e->order));
  });
  for (const Event* e : iteration_) {
    if (e->op == kFence) continue;
    staying_.push_back(e);
    if (released || e->order != kNa || e->loc < 0) return;
  }
}

namespace {

const Pending& pending_after(const Graph& g, std::int32_t thread, std::int32_t after) {
  return after >= 0 ? g.after[static_cast<std::size_t>(after)] : g.begin_pending[thread];
}

}  // namespace

// A copy of a thread's state after an event, to be tried out.
std::int64_t* Runner::tried_after(const Graph& g, std::int32_t thread, std::int32_t after) const {
  tried_.resize(static_cast<std::size_t>(slots_));
  Graph::copy_state(tried_.data(), after >= 0 ? &g.states[static_cast<std::size_t>(after) * slots_]
                                              : &g.begin_state[static_cast<std::size_t>(thread) * slots_]);
  return tried_.data();
}

// Where a thread waits after an event that is not in the graph, and whose state is being tried out; null if it does
// not.
const Instruction* Runner::waits_after(const Graph& g, std::int32_t after, const Event& newest, std::int32_t pc) const {
  std::int32_t effect = after >= 0 ? g[after].effect : 0;
  if (newest.op == kUpdate && newest.written != newest.read) effect = newest.index + 1;
  Pending next = machine_.run({newest.thread, newest.index + 1, effect}, tried_.data(), pc);
  if (next.next != Next::kSpins) return nullptr;
  const Instruction& back = program_.code[static_cast<std::size_t>(next.pc)];
  bool is_kept = unordered_ && back.opcode == Opcode::kBack && keeps(g, after, &newest, tried_.data(), back);
  if (is_kept) return nullptr;
  if (next.pc != waited_) waiting_.insert(waited_ = next.pc);
  return &back;
}

bool Runner::would_wait(const Graph& g, std::int32_t thread, std::int32_t after, std::int64_t value) const {
  const Pending& p = pending_after(g, thread, after);
  if (!p.is_tried || p.tried != value) {
    p.waits = try_value(g, p, thread, after, value);
    p.tried = value;
    p.is_tried = true;
  }
  return p.waits;
}

bool Runner::try_value(const Graph& g, const Pending& p, std::int32_t thread, std::int32_t after,
                       std::int64_t value) const {
  if (memory_.unset().has(value)) return false;
  Event v{.thread = thread, .index = after >= 0 ? g[after].index + 1 : 0, .loc = p.loc, .pc = p.pc, .read = value};
  bool writes = Machine::modify(p, value, v.written);
  // An iteration that changes something is not the end, and where its end is an assumption, others can see the change.
  // A compare-exchange that stores what was there has succeeded, and its thread would see a read as a failure.
  if (writes && (v.written != value || p.next == Next::kCas)) return false;
  v.op = writes ? kUpdate : kRead;
  v.order = p.next == Next::kCas && !writes ? p.failure : p.order;
  std::int64_t* state = tried_after(g, thread, after);
  return waits_after(g, after, v, machine_.finish(state, p.pc, value, writes, memory_[p.loc].width)) != nullptr;
}

bool Runner::confirms(const Graph& g, std::int32_t thread, std::int32_t after, std::int32_t same) const {
  const Pending& p = pending_after(g, thread, after);
  if (p.next != Next::kCas || same < 0 || g[same].op != kRead || g[same].read != p.expected) return false;
  Event v{.thread = thread, .index = g[after].index + 1, .loc = p.loc, .pc = p.pc};
  v.order = p.failure;
  const Instruction& i = program_.code[static_cast<std::size_t>(p.pc)];
  std::int64_t* state = tried_after(g, thread, after);
  state[state[kBase] + i.a] = unknown_;
  state[state[kBase] + i.e] = 0;
  const Instruction* back = waits_after(g, after, v, p.pc + 1);
  if (back == nullptr || back->opcode != Opcode::kBack) return false;
  std::int64_t begin = state[state[kBase] + back->b + 2];
  if (static_cast<Back>(back->kind) == Back::kVisible) --begin;  // the load before the loop
  for (std::int32_t e = same; e >= 0 && g[e].index >= begin; e = g[e].same) {
    if (g[e].op != kRead || g[e].read != p.expected) return false;
    if (!may_wait(g.pending_before(e))) return true;
  }
  return false;
}

std::int32_t Runner::taken_by(const Graph& g, std::int32_t write) const {
  if (write < 0 || g[write].op != kWrite || g[write].role != Role::kNone) return -1;
  std::int32_t e = g[write].same;
  while (e >= 0 && !g[e].writes()) e = g[e].same;
  return e >= 0 && g[e].op == kUpdate && may_wait(g.pending_before(e)) ? e : -1;
}

// Marks the reads from which code leads to the end of their iteration, or to an assumption like that, with no other
// event in between. It need not be exact: what is not marked is followed, and what is marked is tried.
void Runner::find_awaiting() {
  const std::vector<Instruction>& code = program_.code;
  std::size_t n = code.size();
  using Loops = std::uint64_t;     // a bit each, shared if there are many; the last one is that of assumptions
  std::vector<Loops> ends(n + 1);  // whose iterations may end, from here on
  std::vector<Loops> after(program_.templates.size() + 1);  // likewise after a call of a template; of any, at the end
  std::vector<std::size_t> owner(n);                        // the template of an instruction
  for (std::size_t t = 0; t < program_.templates.size(); ++t)
    std::fill(owner.begin() + program_.templates[t].entry, owner.end(), t);
  auto bit = [](const Instruction& i) { return Loops{1} << (i.a % 63); };
  auto called_by = [&](const Instruction& i) {  // who is called by a pointer may be anybody
    return static_cast<Callee>(i.kind) == Callee::kTemplate ? static_cast<std::size_t>(i.c) : after.size() - 1;
  };
  auto found_at = [&](std::size_t at) -> Loops {
    const Instruction& i = code[at];
    const Facts& about = facts(i.opcode);
    switch (i.opcode) {
      case Opcode::kHead:
        return ends[at + 1] & ~bit(i);
      case Opcode::kBack:
        return static_cast<Back>(i.kind) == Back::kNever ? 0 : bit(i);
      case Opcode::kReturn:
        return after[owner[at]] | after.back();
      case Opcode::kCall: {
        std::size_t called = called_by(i);
        bool is_known = called + 1 < after.size();
        return ends[at + 1] | (is_known ? ends[static_cast<std::size_t>(program_.templates[called].entry)] : 0);
      }
      case Opcode::kAssume:
        return ends[at + 1] | (static_cast<Assumption>(i.kind) == Assumption::kRepeated ? Loops{1} << 63 : 0);
      default:
        break;
    }
    Loops found = about.onward == Onward::kNext || about.onward == Onward::kBranch ? ends[at + 1] : 0;
    if (about.onward == Onward::kJump || about.onward == Onward::kBranch)
      found |= ends[static_cast<std::size_t>(about.target[0] == 'c' ? i.c : i.a)];
    return found;
  };
  for (bool changed = true; changed;) {
    changed = false;
    auto raise = [&](Loops& known, Loops found) {
      changed |= (found & ~known) != 0;
      known |= found;
    };
    for (std::size_t at = n; at-- > 0;) {
      if (code[at].opcode == Opcode::kCall) raise(after[called_by(code[at])], ends[at + 1]);
      if (facts(code[at].opcode).effect != Effect::kEvent) raise(ends[at], found_at(at));
    }
  }
  awaiting_.assign(n, kNothing);
  for (std::size_t at = 0; at < n; ++at) {
    if (facts(code[at].opcode).effect != Effect::kEvent || ends[at + 1] == 0) continue;
    awaiting_[at] = ends[at + 1] >> 63 != 0 ? kAssumption : kLoop;
    may_confirm_ |= code[at].opcode == Opcode::kCas;
  }
}

// A failure that leads back to the beginning of its iteration, which could be left out, is left out at once. But a
// failure that could be in a race is an event that a success need not replace.
bool Runner::may_fail(const Graph& g, std::int32_t thread, std::int32_t after, std::int64_t value,
                      std::set<std::int32_t>& too_often) const {
  const Pending& p = pending_after(g, thread, after);
  if (!p.weak) return false;
  std::int64_t* state = tried_after(g, thread, after);
  Machine::Who who{thread, after >= 0 ? g[after].index + 2 : 1, after >= 0 ? g[after].effect : 0};
  Pending next = machine_.run(who, state, machine_.finish(state, p.pc, value, false, p.width));
  if (next.next == Next::kSpins) {
    if (!unordered_) return false;
    bool raceless = p.loc < 0 || memory_.object(number_of(memory_[p.loc].pointer)).raceless;
    if (raceless && !keeps(g, after, nullptr, state, program_.code[static_cast<std::size_t>(next.pc)])) return false;
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
