#include "explore/runner.hpp"

#include <algorithm>

namespace porf::explore {

namespace {

constexpr int kDepthBits = 12;  // of a rank: children of one thread

}  // namespace

Runner::Runner(const Program& program, std::int32_t threads, std::int64_t unroll)
    : program_(program),
      memory_(program),
      machine_(program, memory_, unroll),
      threads_((std::max(threads, static_cast<std::int32_t>(program.starts.size())) + 7) / 8 * 8),
      registers_(program.registers()),
      template_(static_cast<std::size_t>(threads_), 0),
      rank_(static_cast<std::size_t>(threads_), 0) {
  for (const Instruction& i : program.code)
    plain_ |= (i.opcode == Opcode::kLoad || i.opcode == Opcode::kStore) && i.order == kNa;
  for (std::size_t t = 0; t < program.starts.size(); ++t) {
    template_[t] = program.starts[t].code;
    rank_[t] = static_cast<std::uint64_t>(t + 1) << (3 * kDepthBits);
    by_rank_.push_back(static_cast<std::int32_t>(t));
  }
}

Graph Runner::fresh() {
  Graph g(threads_, registers_);
  for (std::size_t t = 0; t < program_.starts.size(); ++t) {
    g.exists[t] = true;
    std::int64_t* state = &g.begin_state[t * static_cast<std::size_t>(registers_)];
    std::copy(program_.starts[t].arguments.begin(), program_.starts[t].arguments.end(), state);
    auto thread = static_cast<std::int32_t>(t);
    run(g, thread, -1, state, code_of(thread).entry, 0, g.begin_pending[t]);
  }
  return g;
}

// The thread that a waiting thread waits for, or the thread itself if it can go on; -1 if nobody helps.
std::int32_t Runner::wanted(const Graph& g, std::int32_t thread) const {
  for (std::int32_t hop = 0; hop <= threads_; ++hop) {
    const Pending& p = g.pending(thread);
    switch (p.next) {
      case Next::kHeld:
        thread = g[g[g.last[thread]].rf].thread;
        break;
      case Next::kJoin: {
        auto child = static_cast<std::int32_t>(p.value);
        if (g.pending(child).next == Next::kEnded) return thread;
        thread = child;
        break;
      }
      case Next::kLock: {
        std::int32_t source = mutex_source(g, p.loc);
        if (value(g, p.loc, source) == 0) return thread;
        thread = g[source].thread;
        break;
      }
      case Next::kEnded:
      case Next::kAssumed:
      case Next::kSpins:
      case Next::kCut:
      case Next::kFailed:
        return -1;
      default:
        return thread;
    }
  }
  return -1;  // they wait for each other
}

std::int32_t Runner::choose(const Graph& g) const {
  std::int32_t writer = -1, reader = -1, helper = -1, waiter = -1;
  for (std::int32_t t : by_rank_) {
    if (!g.exists[t]) continue;
    const Pending& p = g.pending(t);
    switch (p.next) {
      case Next::kStore:
      case Next::kUnlock:
      case Next::kFence:
      case Next::kSpawn:
        if (writer < 0) writer = t;
        break;
      case Next::kJoin:
        if (writer < 0 && g.pending(static_cast<std::int32_t>(p.value)).next == Next::kEnded) writer = t;
        break;
      case Next::kLoad:
      case Next::kRmw:
      case Next::kCas:
      case Next::kTry:
        if (reader < 0) reader = t;
        break;
      case Next::kLock:
        if (reader >= 0) break;
        if (!held(g, p.loc))
          reader = t;
        else if (waiter < 0)
          waiter = t;
        break;
      case Next::kHeld: {
        std::int32_t lock = g[g.last[t]].rf;
        for (std::int32_t u = g.last_at(g[lock].loc); u >= 0; u = g[u].at)
          if (g[u].op == kWrite && g[u].thread == g[lock].thread && lock_of(g, u) == lock) return kOverslept;
        if (helper < 0) helper = wanted(g, t);
        break;
      }
      default:
        break;
    }
  }
  return helper >= 0 ? helper : writer >= 0 ? writer : reader >= 0 ? reader : waiter;
}

Event Runner::next(const Graph& g, std::int32_t thread, std::int32_t source, bool fails) const {
  const Pending& p = g.pending(thread);
  Event event;
  event.thread = thread;
  event.loc = p.loc;
  event.pc = p.pc;
  event.order = p.order;
  switch (p.next) {
    case Next::kStore:
      event.op = kWrite, event.written = p.value;
      break;
    case Next::kUnlock:
      event.op = kWrite, event.role = Role::kUnlock;
      break;
    case Next::kFence:
      event.op = kFence;
      break;
    case Next::kSpawn:
      event.op = kSpawnOp;
      break;
    case Next::kJoin:
      event.op = kJoinOp;
      event.other = static_cast<std::int32_t>(p.value);
      event.read = g.pending(event.other).value;
      break;
    default:
      read_from(g, event, p, source, fails);
  }
  return event;
}

void Runner::read_from(const Graph& g, Event& event, const Pending& op, std::int32_t source,
                       bool fails) const {
  event.rf = source;
  event.read = value(g, op.loc, source);
  event.role = op.next == Next::kLock ? Role::kLock : op.next == Next::kTry ? Role::kTry : Role::kNone;
  bool writes = Machine::modify(op, event.read, event.written) && !fails;
  event.op = writes ? kUpdate : kRead;
  event.order = op.next == Next::kCas && !writes ? op.failure : op.order;
  if (!writes) event.written = 0;
}

void Runner::settle(Graph& g, std::int32_t e) {
  std::int64_t* state = g.state_after(e);
  std::copy_n(g.state_before(e), registers_, state);
  Event& v = g[e];
  std::int32_t effects = v.prev >= 0 ? g[v.prev].effects : 0;
  bool idle = v.op == kRead || v.op == kFence || v.op == kJoinOp || (v.op == kUpdate && v.written == v.read);
  v.effects = effects + !idle;
  const Template& code = code_of(v.thread);
  Pending& pending = g.after[e];
  if (waits(v)) {
    pending = Pending{};
    pending.next = Next::kHeld;
    pending.pc = v.pc;
    return;
  }
  if (v.rf == kInitial && !memory_[v.loc].initialised) {
    pending = Pending{};
    pending.next = Next::kFailed;
    pending.bug = Bug::kUninitialised;
    pending.pc = v.pc;
    return;
  }
  if (v.op == kSpawnOp) {
    const Instruction& i = program_.code[static_cast<std::size_t>(v.pc)];
    std::int32_t child = slot(v.thread, v.index);
    g[e].other = child;
    g[e].read = child;
    g.exists[child] = true;
    g.begun_by[child] = e;
    template_[child] = i.c;
    std::int64_t* begin = &g.begin_state[static_cast<std::size_t>(child) * registers_];
    std::fill_n(begin, registers_, 0);
    std::int64_t* argument = begin;
    for (std::int32_t operand : code.argument_lists[static_cast<std::size_t>(i.d)])
      *argument++ = operand >= 0 ? state[operand] : code.pool[static_cast<std::size_t>(~operand)];
    run(g, child, -1, begin, code_of(child).entry, 0, g.begin_pending[child]);
  }
  machine_.finish(state, g[e].pc, g[e].read, g[e].op == kUpdate);
  run(g, g[e].thread, e, state, g[e].pc + 1, g[e].effects, pending);
}

void Runner::run(Graph& g, std::int32_t thread, std::int32_t after, std::int64_t* state, std::int32_t pc,
                 std::int32_t effects, Pending& pending) const {
  pending = machine_.run(code_of(thread), state, pc, effects);
  if (pending.next == Next::kJoin && (pending.value < 0 || pending.value >= threads_ ||
                                      !g.exists[static_cast<std::size_t>(pending.value)])) {
    pending.next = Next::kFailed;
    pending.bug = Bug::kNoThread;
  }
  if (pending.next != Next::kUnlock) return;
  for (std::int32_t e = after; e >= 0; e = g[e].prev) {
    if (g[e].loc != pending.loc || g[e].op == kRead) continue;
    if (g[e].op == kUpdate) return;
    break;
  }
  pending.next = Next::kFailed;
  pending.bug = Bug::kNotHeld;
  pending.expected = memory_[pending.loc].pointer;
}

std::int32_t Runner::slot(std::int32_t parent, std::int32_t index) {
  auto [it, fresh] = slots_.try_emplace({parent, index}, static_cast<std::int32_t>(by_rank_.size()));
  if (!fresh) return it->second;
  std::int32_t child = it->second;
  if (child >= threads_) throw Grow{Grow::kThreads};
  std::uint64_t above = rank_[parent];
  int depth = 0;  // free places below the parent's own
  while (depth < 3 && (above >> (depth * kDepthBits) & ((1u << kDepthBits) - 1)) == 0) ++depth;
  if (depth == 0 || index + 1 >= 1 << kDepthBits) throw Grow{Grow::kThreads};
  rank_[child] = above + (static_cast<std::uint64_t>(index + 1) << ((depth - 1) * kDepthBits));
  by_rank_.insert(std::upper_bound(by_rank_.begin(), by_rank_.end(), child,
                                   [&](std::int32_t a, std::int32_t b) { return rank_[a] < rank_[b]; }),
                  child);
  return child;
}

}  // namespace porf::explore
