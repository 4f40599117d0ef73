#include "explore/runner.hpp"

#include <algorithm>

#include "explore/courses.hpp"

namespace porf::explore {

namespace {

// Whether reading what such an access wrote, or reading with it, may leave unordered what comes before and after.
bool is_weak(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::kLoad:
      return i.order != kNa && !acquires(i.order);
    case Opcode::kStore:
      return i.order != kNa && !releases(i.order);
    case Opcode::kRmw:
      return !acquires(i.order) || !releases(i.order);
    case Opcode::kCas:
      return !acquires(i.order) || !releases(i.order) || !acquires(i.failure);
    default:
      return false;
  }
}

}  // namespace

Runner::Runner(const Program& program, std::int32_t threads, std::int64_t unroll, StackSize stack, bool gaps,
               Sync races, bool symmetry, Sections* sections, bool dependencies, std::int32_t kept)
    : program_(program),
      memory_(program, gaps),
      overlaps_(memory_),
      threads_((std::max(threads, static_cast<std::int32_t>(program.starts.size())) + 7) / 8 * 8),
      table_(threads_, static_cast<std::int32_t>(program.starts.size())),
      machine_(program, memory_, table_, unroll, stack),
      slots_(dependencies ? 2 * stack.slots : stack.slots),
      courses_(std::make_shared<Courses>(program)),
      sections_(sections) {
  if (symmetry) roles_ = roles_of(program);
  if (dependencies) {
    dependencies_ = std::make_unique<Dependencies>();
    machine_.track(dependencies_.get());
    if (kept != kNoCycles) early_ = std::make_unique<EarlyWrites>(memory_, *dependencies_, kept);
  }
  std::uint8_t width = 0;  // of atomic accesses
  for (const Instruction& i : program.code) {
    bool accesses =
        i.opcode == Opcode::kLoad || i.opcode == Opcode::kStore || i.opcode == Opcode::kRmw || i.opcode == Opcode::kCas;
    if (i.opcode == Opcode::kFree || i.opcode == Opcode::kAllocate) conflicts_ = true;
    locks_ |= i.opcode == Opcode::kLock;
    if (!accesses) continue;
    conflicts_ |= i.order == kNa || (width != 0 && width != i.width);
    width = i.width;
  }
  bool weak = std::any_of(program.code.begin(), program.code.end(), is_weak);
  find_awaiting();
  unknown_ = memory_.unset().none(8, true, -1);
  careful_ = races == Sync::kNone;
  unordered_ = conflicts_ && (careful_ || (races >= Sync::kAtomicOrders && weak));
}

Graph Runner::fresh() {
  Graph g(threads_, slots_);
  g.dependencies = dependencies_.get();
  for (std::size_t t = 0; t < program_.starts.size(); ++t) {
    g.exists[t] = true;
    g.alike[t] = like_start(g, t);
    const Start& start = program_.starts[t];
    std::int64_t* state = &g.begin_state[t * static_cast<std::size_t>(slots_)];
    machine_.begin(state, start.code);
    std::copy(start.arguments.begin(), start.arguments.end(), state + machine_.root());
    run(g, {static_cast<std::int32_t>(t), 0, 0}, -1, state, entry(start.code), g.begin_pending[t]);
  }
  return g;
}

std::int32_t Runner::wanted(const Graph& g, std::int32_t thread) const {
  for (std::int32_t hop = 0; hop <= threads_; ++hop) {
    const Pending& p = g.pending(thread);
    switch (p.next) {
      case Next::kHeld: {
        std::int32_t lock = g[g.last[thread]].rf;
        if (lock < 0) return -1;  // nobody's: it was never free
        thread = g[lock].thread;
        break;
      }
      case Next::kJoin: {
        auto child = static_cast<std::int32_t>(p.value);
        if (g.pending(child).next == Next::kEnded) return thread;
        thread = child;
        break;
      }
      case Next::kLock: {
        std::int32_t source = mutex_source(g, p.loc);
        if (!held(g, p.loc)) return thread;
        if (source < 0) return -1;
        thread = g[source].thread;
        break;
      }
      case Next::kBarrier:  // who is not there yet comes by itself
        return all_there(g, thread) ? thread : -1;
      case Next::kEnded:
      case Next::kAssumed:
      case Next::kAwaits:
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

// Of the threads from the first one on that read and may wait: one that need not. If there is none, the reader goes on;
// if there is no reader, one that has some chance, or else the first.
std::int32_t Runner::choose_patient(const Graph& g, const ChancesOf& chances, std::int32_t first,
                                    std::int32_t reader) const {
  bool there = false;
  std::int32_t chosen = -1;
  for (std::int32_t t : table_.by_rank()) {
    if (t == reader) break;
    there |= t == first;
    const Pending& p = g.pending(t);
    if (!there || !g.exists[t] || !is_read(p.next) || p.next == Next::kLock || is_behind(g, t)) continue;
    Chances found = chances(t);
    if (found == Chances::kReady) return t;
    if (found == Chances::kSome && chosen < 0) chosen = t;
  }
  return reader >= 0 ? reader : chosen >= 0 ? chosen : first;
}

// Whether a thread may be in the state of an earlier one that is like it, which then goes first.
bool Runner::is_behind(const Graph& g, std::int32_t thread) const {
  if (!symmetric_) return false;
  auto events = [&](std::int32_t t) { return g.last[t] >= 0 ? g[g.last[t]].index + 1 : 0; };
  for (std::int32_t t = g.alike[thread]; t >= 0; t = g.alike[t])
    if (events(t) == events(thread) && g.pending(t).pc == g.pending(thread).pc) return true;
  return false;
}

std::int32_t Runner::choose(const Graph& g, const ChancesOf& chances) const {
  std::int32_t writer = -1, reader = -1, patient = -1, helper = -1, waiter = -1;
  for (std::int32_t t : table_.by_rank()) {
    if (!g.exists[t]) continue;
    const Pending& p = g.pending(t);
    switch (p.next) {
      case Next::kStore:
      case Next::kUnlock:
      case Next::kFence:
      case Next::kSpawn:
      case Next::kFree:
      case Next::kChoose:
        if (writer < 0) writer = t;
        break;
      case Next::kBarrier:
        if (writer < 0 && all_there(g, t)) writer = t;
        break;
      case Next::kJoin:
        if (writer < 0 && g.pending(static_cast<std::int32_t>(p.value)).next == Next::kEnded) writer = t;
        break;
      case Next::kLoad:
      case Next::kRmw:
      case Next::kCas:
      case Next::kTry:
        if (reader >= 0) break;
        if (!chances || !may_wait(p))
          reader = t;
        else if (patient < 0)
          patient = t;
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
        if (lock < 0) break;
        for (std::int32_t u = g.last_at(g[lock].loc); u >= 0; u = g[u].at)
          if (g[u].role == Role::kUnlock && g[u].thread == g[lock].thread && lock_of(g, u) == lock) return kOverslept;
        if (helper < 0) helper = wanted(g, t);
        if (helper >= 0 && may_wait(g.pending(helper)) && chances && chances(helper) != Chances::kReady) helper = -1;
        break;
      }
      default:
        break;
    }
    if (writer >= 0 && !locks_) return writer;  // nobody waits for a mutex
  }
  for (std::int32_t t : {helper, writer})
    if (t >= 0) return t;
  if (patient >= 0) return choose_patient(g, chances, patient, reader);
  return reader >= 0 ? reader : waiter;
}

bool Runner::wakes(const Graph& g, std::int32_t write) {
  if (g[write].role != Role::kUnlock) return false;
  std::int32_t lock = lock_of(g, write);
  for (std::int32_t t = 0; t < g.threads; ++t)
    if (g.exists[t] && g.pending(t).next == Next::kHeld && g[g.last[t]].rf == lock) return true;
  return false;
}

Event Runner::next(const Graph& g, std::int32_t thread, std::int32_t source, bool fails) const {
  const Pending& p = g.pending(thread);
  Event event;
  event.thread = thread;
  event.loc = p.loc;
  event.pc = p.pc;
  event.order = p.order;
  event.depends = p.depends;
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
    case Next::kFree:
      event.op = kFreeOp;
      event.other = static_cast<std::int32_t>(p.value);
      break;
    case Next::kChoose:
      event.op = kChooseOp;
      event.read = p.expected + source;
      break;
    case Next::kBarrier:
      event.op = kBarrierOp;
      event.loc = -1;
      event.other = p.loc;
      event.read = round_of(g, thread, p.loc);
      event.written = is_last(g, thread, event);
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

void Runner::read_from(const Graph& g, Event& event, const Pending& op, std::int32_t source, bool fails) const {
  event.rf = source;
  read_value(event, op, value(g, op.loc, source), fails);
}

void Runner::read_value(Event& event, const Pending& op, std::int64_t value, bool fails) const {
  event.read = value;
  event.role = op.next == Next::kLock ? Role::kLock : op.next == Next::kTry ? Role::kTry : Role::kNone;
  bool locks = op.next == Next::kLock || op.next == Next::kTry;
  std::int64_t old = locks && memory_.unset().has(event.read) ? 0 : event.read;  // not a mutex: an error comes next
  bool writes = Machine::modify(op, old, event.written) && !fails;
  event.op = writes ? kUpdate : kRead;
  event.order = op.next == Next::kCas && !writes ? op.failure : op.order;
  if (!writes) event.written = 0;
}

void Runner::settle(Graph& g, std::int32_t e) {
  if (sections_ != nullptr) check_order(g, e);
  if (early_ != nullptr) early_->note(g, e);
  std::int64_t* state = g.state_after(e);
  Graph::copy_state(state, g.state_before(e));
  Event& v = g[e];
  std::int32_t effect = v.prev >= 0 ? g[v.prev].effect : 0;
  bool idle = v.op == kRead || v.op == kFence || v.op == kChooseOp || (v.op == kUpdate && v.written == v.read) ||
              stores_the_same(g, e);
  v.effect = idle ? effect : g.count_before(v) + 1;
  Pending& pending = g.after[e];
  if (waits(v)) {
    pending = {.next = Next::kHeld, .pc = v.pc};
    return;
  }
  const Instruction& read = program_.code[v.pc];
  bool copies = g.recalls(e) || (read.opcode == Opcode::kLoad &&
                                 static_cast<Reading>(read.kind) == Reading::kCopies);  // what is not set may be copied
  if (!copies && v.reads() && memory_.unset().has(v.read)) {
    bool first = v.rf == kInitial;
    pending = {.next = Next::kFailed, .bug = first ? Bug::kUninitialised : Bug::kIndeterminate, .pc = v.pc};
    pending.expected = memory_.unset().origin(v.read);
    return;
  }
  if (v.op == kSpawnOp) {
    const Instruction& i = program_.code[v.pc];
    std::int32_t child = table_.child(v.thread, state[kStarted]);
    g[e].other = child;
    g[e].read = child;
    g[e].written = machine_.callee(i, state);
    g.exists[child] = true;
    g.begun_by[child] = e;
    g.alike[child] = like_spawned(g, e);
    auto code = static_cast<std::int32_t>(g[e].written);
    std::int64_t* begin = &g.begin_state[static_cast<std::size_t>(child) * slots_];
    machine_.begin(begin, code);
    begin_with(program_.templates[code], i, state, begin);
    run(g, {child, 0, 0}, -1, begin, entry(code), g.begin_pending[child]);
  }
  run(g, {g[e].thread, g.count_before(g[e]) + 1, g[e].effect}, e, state, finish(g, e, state), pending);
}

std::int32_t Runner::finish(const Graph& g, std::int32_t e, std::int64_t* state) const {
  const Event& v = g[e];
  if (g.recalls(e) || took_part(v, state)) return v.pc;  // to the access that it was for
  machine_.depend(state, v.pc, v.index, v.loc >= 0 ? memory_[v.loc].width : 0);
  bool wrote = v.op == kUpdate || (v.op == kBarrierOp && v.written != 0);
  return machine_.finish(state, v.pc, v.read, wrote, v.loc >= 0 ? memory_[v.loc].width : 0);
}

void Runner::begin_with(const Template& code, const Instruction& spawn, const std::int64_t* state,
                        std::int64_t* begin) const {
  std::int64_t* parameter = begin + machine_.root();
  std::int32_t left = code.parameters;
  for (std::int32_t operand : machine_.arguments(spawn, state)) {
    if (left-- <= 0) break;
    *parameter++ = machine_.operand(state, operand);
  }
}

void Runner::run(Graph& g, const Machine::Who& who, std::int32_t after, std::int64_t* state, std::int32_t pc,
                 Pending& pending) {
  pending = advance(g, who, after, state, pc);
  while (sections_ != nullptr && goes_on(g, who, after, state, pending))
    pending = advance(g, who, after, state, pending.pc + 1);
  auto joins = [&](const Event& v) { return v.op == kJoinOp && v.thread == who.thread && v.other == pending.value; };
  if (pending.next == Next::kJoin && (pending.value < 0 || pending.value >= threads_ || !g.exists[pending.value] ||
                                      std::any_of(g.events.begin(), g.events.end(), joins))) {
    pending.next = Next::kFailed;
    pending.bug = Bug::kNoThread;
  }
  if (pending.loc >= 0 && !memory_.rivals(pending.loc).empty()) overlaps_.renew(g, who.thread, after, pending);
  if (pending.next == Next::kUnlock) check_unlock(g, after, pending);
  if (pending.next == Next::kBarrier) check_barrier(g, who.thread, pending);
}

void Runner::check_unlock(const Graph& g, std::int32_t after, Pending& pending) const {
  std::int32_t e = after >= 0 ? g.last_of(pending.loc, g[after].thread) : -1;
  while (e >= 0 && g[e].op == kRead) e = g[e].same;
  if (e >= 0 && g[e].op == kUpdate) return;
  pending.next = Next::kFailed;
  pending.bug = Bug::kNotHeld;
  pending.expected = memory_[pending.loc].pointer;
}

// A thread has come to a barrier: it is for so many, and no more.
void Runner::check_barrier(const Graph& g, std::int32_t thread, Pending& pending) const {
  std::int64_t places = places_at(g, pending.loc);
  if (places > 0 && arrivals(g, pending.loc, round_of(g, thread, pending.loc)) <= places) return;
  pending.next = Next::kFailed;
  pending.bug = places > 0 ? Bug::kCrowded : Bug::kNoBarrier;
  pending.expected = memory_[pending.loc].pointer;
}

std::int32_t Runner::arrivals(const Graph& g, std::int32_t barrier, std::int64_t round) const {
  std::int32_t count = 0;
  for (std::int32_t t : table_.by_rank()) count += g.exists[t] && g.arrival_at(t, barrier, round) != Graph::kAbsent;
  return count;
}

// How often the thread has waited at the barrier.
std::int64_t Runner::round_of(const Graph& g, std::int32_t thread, std::int32_t barrier) const {
  for (std::int32_t e = g.last[thread]; e >= 0; e = g[e].prev)
    if (g[e].op == kBarrierOp && g[e].other == barrier) return g[e].read + 1;
  return 0;
}

// How many the barrier is for: what was written there last.
std::int64_t Runner::places_at(const Graph& g, std::int32_t barrier) const {
  for (std::int32_t e = g.last_at(barrier); e >= 0; e = g[e].at)
    if (g[e].writes()) return g[e].written;
  return memory_[barrier].initial;
}

bool Runner::all_there(const Graph& g, std::int32_t thread) const {
  std::int32_t barrier = g.pending(thread).loc;
  return arrivals(g, barrier, round_of(g, thread, barrier)) == places_at(g, barrier);
}

bool Runner::is_last(const Graph& g, std::int32_t thread, const Event& barrier) const {
  for (std::int32_t t : table_.by_rank())
    if (rank()[t] > rank()[thread] && g.exists[t] && g.arrival_at(t, barrier.other, barrier.read) != Graph::kAbsent)
      return false;
  return true;
}

std::vector<Printed> Runner::printed(const Graph& g) const {
  std::vector<Printed> out;
  std::vector<std::int64_t> state(static_cast<std::size_t>(slots_));
  for (std::size_t t = 0; t < program_.starts.size(); ++t) {
    const Start& start = program_.starts[t];
    machine_.begin(state.data(), start.code);
    std::copy(start.arguments.begin(), start.arguments.end(), state.begin() + machine_.root());
    machine_.run({static_cast<std::int32_t>(t), 0, 0}, state.data(), entry(start.code), &out);
  }
  for (std::int32_t e = 0; e < g.size(); ++e) {
    if (waits(g[e])) continue;
    Graph::copy_state(state.data(), g.state_before(e));
    run_again(g, e, state.data(), out);
  }
  return out;
}

// From an event to the next, and the beginning of the thread that it starts.
void Runner::run_again(const Graph& g, std::int32_t e, std::int64_t* state, std::vector<Printed>& out) const {
  const Event& v = g[e];
  if (v.op == kSpawnOp) {
    const Instruction& i = program_.code[v.pc];
    std::int32_t code = machine_.callee(i, state);
    std::vector<std::int64_t> begin(static_cast<std::size_t>(slots_));
    machine_.begin(begin.data(), code);
    begin_with(program_.templates[code], i, state, begin.data());
    machine_.run({v.other, 0, 0}, begin.data(), entry(code), &out);
  }
  std::size_t before = out.size();
  advance(g, {v.thread, v.index + 1, v.effect}, e, state, finish(g, e, state), &out);
  for (std::size_t n = before; n < out.size(); ++n) out[n].event = e;
}

}  // namespace porf::explore
