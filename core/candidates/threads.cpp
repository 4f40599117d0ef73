// Running a thread by itself; see threads.hpp.
#include "candidates/threads.hpp"

#include <algorithm>
#include <utility>

#include "explore/arithmetic.hpp"

namespace porf::candidates {

using explore::Instruction;
using explore::Opcode;

namespace {

std::int32_t field(const Instruction& i, char letter) {
  const std::int32_t fields[] = {i.a, i.b, i.c, i.d, i.e};
  return fields[letter - 'a'];
}

}  // namespace

std::vector<Trace> Threads::traces(std::int32_t thread, const Values& values) {
  const explore::Start& start = program_.starts[static_cast<std::size_t>(thread)];
  const auto number = static_cast<std::size_t>(start.code);
  code_ = &program_.templates[number];
  thread_ = thread;
  end_ = number + 1 < program_.templates.size() ? program_.templates[number + 1].entry
                                                : static_cast<std::int32_t>(program_.code.size());
  find_heads();
  State state;
  state.pc = code_->entry;
  state.registers.assign(static_cast<std::size_t>(code_->registers), 0);
  state.sources.assign(state.registers.size(), 0);
  state.picks = state.sources;
  std::copy(start.arguments.begin(), start.arguments.end(), state.registers.begin());
  std::vector<Trace> out;
  run(std::move(state), values, out);
  return out;
}

void Threads::run(State state, const Values& values, std::vector<Trace>& out) {
  while (budget_.spend()) {
    if (heads_[static_cast<std::size_t>(state.pc - code_->entry)] != 0 && !enter(state, out)) return;
    if (!step(state, program_.code[static_cast<std::size_t>(state.pc)], values, out)) return;
  }
}

void Threads::finish(State& state, End end, std::vector<Trace>& out) {
  bytes_ += sizeof(Trace) + state.events.size() * sizeof(Event) + state.registers.size() * sizeof(std::int64_t);
  if (!budget_.hold(bytes_)) return;
  out.push_back({std::move(state.events), std::move(state.registers), end, state.pc});
}

bool Threads::step(State& state, const Instruction& i, const Values& values, std::vector<Trace>& out) {
  switch (i.opcode) {
    case Opcode::kMove:
      set(state, i.a, value(state, i.b), source(state, i.b), pick(state, i.b));
      break;
    case Opcode::kBinary: {
      std::int64_t result = 0;
      if (!explore::binary(static_cast<explore::Binary>(i.kind), value(state, i.b), value(state, i.c), result))
        throw Refused(Why::kInstruction, state.pc);
      set(state, i.a, explore::wrap(result, i.width, i.is_signed), source(state, i.b) | source(state, i.c),
          pick(state, i.b) | pick(state, i.c));
      break;
    }
    case Opcode::kUnary: {
      std::int64_t result = 0;
      if (!explore::unary(static_cast<explore::Unary>(i.kind), value(state, i.b), result))
        throw Refused(Why::kInstruction, state.pc);
      set(state, i.a, explore::wrap(result, i.width, i.is_signed), source(state, i.b), pick(state, i.b));
      break;
    }
    case Opcode::kSelect: {
      const std::int32_t chosen = value(state, i.b) != 0 ? i.c : i.d;
      set(state, i.a, value(state, chosen), source(state, chosen),
          source(state, i.b) | pick(state, i.b) | pick(state, chosen));
      break;
    }
    case Opcode::kJump:
      state.pc = i.a;
      return true;
    case Opcode::kJumpIf:
    case Opcode::kJumpUnless:
      state.branches |= source(state, i.b) | pick(state, i.b);
      if ((value(state, i.b) != 0) == (i.opcode == Opcode::kJumpIf)) {
        state.pc = i.a;
        return true;
      }
      break;
    case Opcode::kHead:
      break;
    case Opcode::kBack:
      state.pc = i.c;
      return true;
    case Opcode::kChoose:
      for (std::int64_t chosen = value(state, i.b); chosen <= value(state, i.c); ++chosen) {
        State next = state;
        set(next, i.a, chosen, 0);
        ++next.pc;
        run(std::move(next), values, out);
      }
      return false;
    case Opcode::kAssume:
      if (mark(state).exclusive >= Exclusive::kArm) {
        const auto arm = static_cast<std::size_t>(value(state, i.b));
        state.arms.resize(std::max(state.arms.size(), arm), 0);
        if (mark(state).exclusive == Exclusive::kArm) state.arms[arm - 1] = state.branches;
        state.branches = state.arms[arm - 1];
        break;
      }
      if (mark(state).exclusive != Exclusive::kGuessed) state.branches |= source(state, i.b) | pick(state, i.b);
      if (value(state, i.b) == 0) return false;
      break;
    case Opcode::kExit:
      finish(state, End::kDone, out);
      return false;
    case Opcode::kFence: {
      Event fence;
      fence.order = i.order;
      fence.tags = mark(state).tags;
      fence.ctrl = state.branches | state.picked;
      if (i.width != 0 && (fence.loc = places_.find(value(state, i.b))) < 0) {
        finish(state, End::kNowhere, out);
        return false;
      }
      fence.pc = state.pc;
      state.events.push_back(fence);
      break;
    }
    case Opcode::kLoad:
    case Opcode::kStore:
    case Opcode::kRmw:
    case Opcode::kCas:
      return access(state, i, values, out);
    default:
      throw Refused(Why::kInstruction, state.pc);
  }
  ++state.pc;
  return true;
}

bool Threads::access(State& state, const Instruction& i, const Values& values, std::vector<Trace>& out) {
  const std::int32_t loc = places_.find(value(state, i.b));
  if (loc < 0) {
    finish(state, End::kNowhere, out);
    return false;
  }
  if (!places_.accessed(loc, i.width)) throw Refused(Why::kMixedWidth, state.pc);
  if (state.events.size() >= kMostEvents) throw Refused(Why::kTooLong, state.pc);
  Event event;
  event.order = i.order;
  event.loc = loc;
  event.tags = mark(state).tags;
  event.addr = source(state, i.b);
  event.ctrl = state.branches;
  // By what its address or its value was selected, a store depends on control; and later ones do, too, if an address
  // was.
  if (i.opcode != Opcode::kLoad) event.ctrl |= state.picked | pick(state, i.b) | pick(state, i.c);
  if (i.opcode == Opcode::kCas) event.ctrl |= pick(state, i.d);
  state.picked |= pick(state, i.b);
  event.pc = state.pc;
  const Mask self = Mask{1} << state.events.size();
  // What a location holds is kept with a sign, whatever signs its accesses have.
  const auto held = [&](std::int64_t v) { return explore::wrap(v, i.width, true); };
  const auto seen = [&](std::int64_t v) { return explore::wrap(v, i.width, i.is_signed); };
  if (mark(state).exclusive > Exclusive::kLinks) {
    conditional(std::move(state), i, event, values, out);
    return false;
  }
  if (i.opcode == Opcode::kStore) {
    event.op = kWrite;
    event.data = source(state, i.c);
    event.written = held(value(state, i.c));
    state.events.push_back(event);
    ++state.writes;
    ++state.pc;
    return true;
  }
  for (const std::int64_t read : values[static_cast<std::size_t>(loc)]) {
    State next = state;
    event.op = kRead;
    event.tags = mark(state).tags;
    event.read = read;
    if (i.opcode == Opcode::kRmw) {
      event.op = kUpdate;
      event.data = source(state, i.c);
      const auto kind = static_cast<explore::Modify>(i.kind);
      event.written = held(explore::modified(kind, seen(read), seen(value(state, i.c)), i.width, i.is_signed));
    } else if (i.opcode == Opcode::kCas) {
      const bool equal = read == held(value(state, i.c));
      event.op = equal ? kUpdate : kRead;
      event.order = equal ? i.order : i.failure;
      if (!equal) event.tags &= of_reads_;
      event.data = equal ? source(state, i.c) | source(state, i.d) : 0;
      event.written = equal ? held(value(state, i.d)) : 0;
      set(next, i.e, equal, self | source(state, i.c));
      if (equal && i.weak) {  // or it fails for no reason
        State failed = next;
        Event load = event;
        load.op = kRead;
        load.order = i.failure;
        load.tags &= of_reads_;
        load.data = 0;
        failed.events.push_back(load);
        set(failed, i.e, 0, self);
        set(failed, i.a, seen(read), self);
        ++failed.pc;
        run(std::move(failed), values, out);
      }
    } else if (mark(state).exclusive == Exclusive::kLinks) {
      next.linked = static_cast<std::int32_t>(state.events.size());
      next.reserved = event.addr;
    }
    set(next, i.a, seen(read), self);
    next.writes += event.writes();
    next.events.push_back(event);
    ++next.pc;
    run(std::move(next), values, out);
  }
  return false;
}

// It succeeds or fails; it can only succeed where the last load-linked has read.
void Threads::conditional(State state, const Instruction& i, Event event, const Values& values,
                          std::vector<Trace>& out) {
  const Exclusive kind = mark(state).exclusive;
  const Mask sources = event.addr | source(state, i.d) | state.reserved;
  const std::int32_t linked = state.linked;
  const bool possible = linked >= 0 && state.events[static_cast<std::size_t>(linked)].loc == event.loc;
  state.linked = -1;
  state.reserved = 0;
  State failed = state;
  set(failed, i.e, 0, kind == Exclusive::kOfSources ? sources : 0);
  ++failed.pc;
  if (possible) {
    const Mask self = Mask{1} << state.events.size();
    event.op = kWrite;
    event.data = source(state, i.d);
    event.written = explore::wrap(value(state, i.d), i.width, true);
    event.linked = linked;
    set(state, i.e, 1, kind == Exclusive::kOfSources ? sources : kind == Exclusive::kOfItself ? self : 0);
    state.events.push_back(event);
    ++state.writes;
    ++state.pc;
    run(std::move(state), values, out);
  }
  run(std::move(failed), values, out);
}

// A turn that has written nothing, and has left all registers that matter, can be left out of the trace: what remains
// is a trace, too. So the thread does not go on.
bool Threads::enter(State& state, std::vector<Trace>& out) {
  const Live& live = live_[static_cast<std::size_t>(state.pc - code_->entry)];
  for (Visit& visit : state.visits) {
    if (visit.head != state.pc) continue;
    bool same = visit.writes == state.writes;
    for (std::size_t r = 0; same && r < state.registers.size(); ++r)
      same = !live[r] || (visit.registers[r] == state.registers[r] && visit.sources[r] == state.sources[r] &&
                          visit.picks[r] == state.picks[r]);
    if (same) return false;
    if (++visit.times > unroll_) {
      finish(state, End::kCut, out);
      return false;
    }
    visit.writes = state.writes;
    visit.registers = state.registers;
    visit.sources = state.sources;
    visit.picks = state.picks;
    return true;
  }
  state.visits.push_back({state.pc, 1, state.writes, state.registers, state.sources, state.picks});
  return true;
}

void Threads::find_heads() {
  const auto entry = static_cast<std::size_t>(code_->entry);
  heads_.assign(static_cast<std::size_t>(end_) - entry, 0);
  live_.clear();
  for (std::size_t n = 0; n < heads_.size(); ++n) {
    const Instruction& i = program_.code[entry + n];
    const char* target = explore::facts(i.opcode).target;
    if (*target == '\0') continue;
    const std::int32_t to = field(i, *target);
    if (to <= static_cast<std::int32_t>(entry + n)) heads_[static_cast<std::size_t>(to) - entry] = 1;
  }
  if (std::find(heads_.begin(), heads_.end(), 1) != heads_.end()) find_live();
}

// Which registers matter where: backwards over the code, until nothing changes.
void Threads::find_live() {
  const explore::Template& code = *code_;
  if (code.registers > static_cast<std::int32_t>(kRegisters)) throw Refused(Why::kTooLong, code.entry);
  const auto size = static_cast<std::size_t>(end_ - code.entry);
  live_.assign(size, {});
  Live at_end;
  for (const explore::Watch& watch : program_.watched)
    if (watch.thread == thread_) at_end.set(static_cast<std::size_t>(watch.reg));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t n = size; n-- > 0;) {
      const Instruction& i = program_.code[static_cast<std::size_t>(code.entry) + n];
      const explore::Facts& facts = explore::facts(i.opcode);
      Live live;
      if (i.opcode == Opcode::kExit) live |= at_end;
      if (*facts.target != '\0') live |= live_[static_cast<std::size_t>(field(i, *facts.target) - code.entry)];
      if (facts.onward == explore::Onward::kNext || facts.onward == explore::Onward::kBranch)
        live |= n + 1 < size ? live_[n + 1] : Live{};
      for (const char* letter = facts.sets; *letter != '\0'; ++letter)
        live.reset(static_cast<std::size_t>(field(i, *letter)));
      for (const char* letter = facts.reads; *letter != '\0'; ++letter)
        if (field(i, *letter) >= 0) live.set(static_cast<std::size_t>(field(i, *letter)));
      changed |= live != live_[n];
      live_[n] = live;
    }
  }
}

}  // namespace porf::candidates
