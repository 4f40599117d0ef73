// Values that locations may hold; see possible.hpp.
#include "candidates/possible.hpp"

#include <algorithm>

#include "explore/arithmetic.hpp"

namespace porf::candidates {

using explore::Instruction;
using explore::Opcode;

Values Possible::values() {
  values_.assign(static_cast<std::size_t>(places_.size()), {});
  for (std::int32_t loc = 0; loc < places_.size(); ++loc)
    values_[static_cast<std::size_t>(loc)].insert(places_.initial(loc));
  std::size_t rounds = 0;
  for (std::size_t round = 0; round <= rounds && !budget_.spent(); ++round) {
    found_ = values_;
    rounds = 0;
    for (std::size_t t = 0; t < program_.starts.size(); ++t) rounds += run(static_cast<std::int32_t>(t));
    if (found_ == values_) break;
    values_.swap(found_);
  }
  return std::move(values_);
}

std::size_t Possible::run(std::int32_t thread) {
  const explore::Start& start = program_.starts[static_cast<std::size_t>(thread)];
  const auto number = static_cast<std::size_t>(start.code);
  code_ = &program_.templates[number];
  const std::int32_t end = number + 1 < program_.templates.size() ? program_.templates[number + 1].entry
                                                                  : static_cast<std::int32_t>(program_.code.size());
  State state;
  state.pc = code_->entry;
  state.registers.assign(static_cast<std::size_t>(code_->registers), {});
  for (std::size_t n = 0; n < start.arguments.size(); ++n) state.registers[n].value = start.arguments[n];
  find_relevant(code_->entry, end, state.registers.size());
  met_.clear();
  most_ = 0;
  most_turns_ = 0;
  for (std::int32_t pc = code_->entry; pc < end; ++pc) {
    const Instruction& i = program_.code[static_cast<std::size_t>(pc)];
    const bool back = i.opcode == Opcode::kBack ? i.c <= pc
                                                : (i.opcode == Opcode::kJump || i.opcode == Opcode::kJumpIf ||
                                                   i.opcode == Opcode::kJumpUnless) &&
                                                      i.a <= pc;
    if (back) most_turns_ += unroll_ + 1;
  }
  waiting_.push_back(std::move(state));
  while (!waiting_.empty() && !budget_.spent()) {
    State next = std::move(waiting_.back());
    waiting_.pop_back();
    go(std::move(next));
  }
  waiting_.clear();
  return most_;
}

// What flows into what is written, into addresses, and into what a compare-exchange expects.
void Possible::find_relevant(std::int32_t entry, std::int32_t end, std::size_t registers) {
  relevant_.assign(registers, 0);
  bool changed = true;
  const auto add = [&](std::int32_t operand) {
    if (operand < 0 || relevant_[static_cast<std::size_t>(operand)] != 0) return;
    relevant_[static_cast<std::size_t>(operand)] = 1;
    changed = true;
  };
  const auto is = [&](std::int32_t reg) { return relevant_[static_cast<std::size_t>(reg)] != 0; };
  while (changed) {
    changed = false;
    for (std::int32_t pc = end; pc-- > entry;) {
      const Instruction& i = program_.code[static_cast<std::size_t>(pc)];
      switch (i.opcode) {
        case Opcode::kCas:
          add(i.d);
          [[fallthrough]];
        case Opcode::kStore:
        case Opcode::kRmw:
          add(i.c);
          [[fallthrough]];
        case Opcode::kLoad:
          add(i.b);
          break;
        case Opcode::kSelect:
          if (is(i.a)) add(i.c), add(i.d);
          break;
        case Opcode::kBinary:
          if (is(i.a)) add(i.b), add(i.c);
          break;
        case Opcode::kMove:
        case Opcode::kUnary:
          if (is(i.a)) add(i.b);
          break;
        default:
          break;
      }
    }
  }
}

void Possible::go(State state) {
  while (budget_.spend() && step(state)) {
  }
}

bool Possible::is_new(const State& state) {
  std::vector<std::int64_t> key{state.pc, state.linked, static_cast<std::int64_t>(state.dependent)};
  for (const Held& held : state.registers) {
    key.push_back(held.known ? held.value : 0);
    key.push_back(held.known * 2 + held.read);
  }
  const auto [met, added] = met_.try_emplace(std::move(key), state.turns);
  if (!added && met->second <= state.turns) return false;
  met->second = state.turns;
  return true;
}

bool Possible::jump(State& state, std::int32_t target) {
  const bool back = target <= state.pc;
  state.pc = target;
  return !back || (++state.turns <= most_turns_ && is_new(state));
}

bool Possible::fork(State state, std::int32_t target) {
  State other = state;
  if (jump(other, target) && (target <= state.pc || is_new(other))) waiting_.push_back(std::move(other));
  ++state.pc;
  if (is_new(state)) waiting_.push_back(std::move(state));
  return false;
}

Possible::Held Possible::made(const Instruction& i, const Held& left, const Held& right) {
  Held out{0, left.known && right.known, left.read || right.read};
  const auto kind = static_cast<explore::Binary>(i.kind);
  if (out.known) {
    if (!explore::binary(kind, left.value, right.value, out.value)) out.known = false;
    out.value = explore::wrap(out.value, i.width, i.is_signed);
  } else if (i.b == i.c && i.b >= 0) {  // whatever it is
    out.known = kind == explore::Binary::kXor || kind == explore::Binary::kSub;
  } else if (kind == explore::Binary::kAnd || kind == explore::Binary::kMul) {
    out.known = (left.known && left.value == 0) || (right.known && right.value == 0);
  }
  return out;
}

bool Possible::step(State& state) {
  const Instruction& i = program_.code[static_cast<std::size_t>(state.pc)];
  switch (i.opcode) {
    case Opcode::kMove:
      set(state, i.a, held(state, i.b));
      break;
    case Opcode::kBinary:
      set(state, i.a, made(i, held(state, i.b), held(state, i.c)));
      break;
    case Opcode::kUnary: {
      Held out = held(state, i.b);
      const std::int64_t before = out.value;
      if (out.known && !explore::unary(static_cast<explore::Unary>(i.kind), before, out.value)) out.known = false;
      out.value = explore::wrap(out.value, i.width, i.is_signed);
      set(state, i.a, out);
      break;
    }
    case Opcode::kSelect: {
      const Held by = held(state, i.b), yes = held(state, i.c), no = held(state, i.d);
      if (!by.known) {
        State other = state;
        set(other, i.a, {no.value, no.known, true});
        ++other.pc;
        waiting_.push_back(std::move(other));
      }
      const Held& chosen = !by.known || by.value != 0 ? yes : no;
      set(state, i.a, {chosen.value, chosen.known, chosen.read || by.read});
      break;
    }
    case Opcode::kJump:
      return jump(state, i.a);
    case Opcode::kBack:
      return jump(state, i.c);
    case Opcode::kJumpIf:
    case Opcode::kJumpUnless: {
      const Held by = held(state, i.b);
      if (!by.known) return fork(std::move(state), i.a);
      if ((by.value != 0) == (i.opcode == Opcode::kJumpIf)) return jump(state, i.a);
      break;
    }
    case Opcode::kChoose:
      for (std::int64_t chosen = held(state, i.b).value; chosen <= held(state, i.c).value; ++chosen) {
        State next = state;
        set(next, i.a, {chosen});
        ++next.pc;
        waiting_.push_back(std::move(next));
      }
      return false;
    case Opcode::kAssume: {
      const Held by = held(state, i.b);
      if (by.known && by.value == 0) return false;
      break;
    }
    case Opcode::kHead:
    case Opcode::kFence:
      break;
    case Opcode::kLoad:
    case Opcode::kStore:
    case Opcode::kRmw:
    case Opcode::kCas:
      return access(state, i);
    default:  // the end; or what is refused when the thread is run for good
      return false;
  }
  ++state.pc;
  return true;
}

void Possible::write(State& state, std::int32_t address, std::uint8_t width, const Held& what) {
  const Held at = held(state, address);
  if (at.read || what.read) most_ = std::max(most_, ++state.dependent);
  const std::int32_t loc = at.known ? places_.find(at.value) : -1;
  if (loc >= 0 && what.known) found_[static_cast<std::size_t>(loc)].insert(explore::wrap(what.value, width, true));
}

bool Possible::access(State& state, const Instruction& i) {
  const Mark& mark = marks_[static_cast<std::size_t>(state.pc)];
  if (mark.exclusive > Exclusive::kLinks) return conditional(std::move(state), i);
  if (mark.exclusive == Exclusive::kLinks) state.linked = true;
  if (i.opcode == Opcode::kStore) {
    write(state, i.b, i.width, held(state, i.c));
    ++state.pc;
    return true;
  }
  const Held at = held(state, i.b);
  const std::int32_t loc = at.known ? places_.find(at.value) : -1;
  if (at.known && loc < 0) return false;
  const bool needed = relevant_[static_cast<std::size_t>(i.a)] != 0 || i.opcode == Opcode::kRmw;
  std::vector<Held> reads{{0, false, true}};
  if (loc >= 0 && needed) {
    for (const std::int64_t value : values_[static_cast<std::size_t>(loc)])
      reads.push_back({explore::wrap(value, i.width, i.is_signed), true, true});
  }
  for (const Held& read : reads) {
    State next = state;
    if (i.opcode == Opcode::kCas) {
      const Held expected = held(state, i.c);
      const bool settled = read.known && expected.known;
      const bool equal =
          settled && explore::wrap(read.value, i.width, true) == explore::wrap(expected.value, i.width, true);
      if (!settled || !equal || i.weak) {
        State failed = next;
        set(failed, i.a, read);
        set(failed, i.e, {0, true, true});
        ++failed.pc;
        waiting_.push_back(std::move(failed));
      }
      if (settled && !equal) continue;
      write(next, i.b, i.width, held(state, i.d));
      set(next, i.e, {1, true, true});
      set(next, i.a, read.known ? read : Held{expected.value, expected.known, true});
    } else {
      if (i.opcode == Opcode::kRmw) {
        const auto kind = static_cast<explore::Modify>(i.kind);
        Held after = held(state, i.c);
        if (kind != explore::Modify::kExchange) {
          after.known = after.known && read.known;
          if (after.known) after.value = explore::modified(kind, read.value, after.value, i.width, i.is_signed);
          after.read = true;
        }
        write(next, i.b, i.width, after);
      }
      set(next, i.a, read);
    }
    ++next.pc;
    waiting_.push_back(std::move(next));
  }
  return false;
}

bool Possible::conditional(State state, const Instruction& i) {
  State failed = state;
  failed.linked = false;
  set(failed, i.e, {0});
  ++failed.pc;
  if (state.linked) {
    state.linked = false;
    write(state, i.b, i.width, held(state, i.d));
    set(state, i.e, {1});
    ++state.pc;
    waiting_.push_back(std::move(state));
  }
  waiting_.push_back(std::move(failed));
  return false;
}

}  // namespace porf::candidates
