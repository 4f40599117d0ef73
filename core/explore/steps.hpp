// What each instruction does on its thread's way to the next event: one function an instruction.
#pragma once

#include <algorithm>

#include "explore/arithmetic.hpp"
#include "explore/machine.hpp"

namespace porf::explore {

constexpr Bug bug_of(Fault fault) {
  switch (fault) {
    case Fault::kNone:
      break;
    case Fault::kNowhere:
      return Bug::kNowhere;
    case Fault::kOutOfBounds:
      return Bug::kOutOfBounds;
    case Fault::kMisaligned:
      return Bug::kMisaligned;
  }
  return Bug::kNone;
}

class Machine::Steps {
 public:
  static constexpr std::int32_t kStop = -1;

  Steps(const Machine& machine, const Who& who, std::int64_t* state, std::vector<Printed>* prints)
      : machine_(machine), program_(machine.program_), who_(who), state_(state), prints_(prints) {
    enter();
  }

  // Runs the instruction at pc; where the thread goes on, or kStop.
  template <Opcode>
  std::int32_t step(const Instruction& i, std::int32_t pc);

  std::int32_t stop(Next next, Bug bug = Bug::kNone, std::int64_t detail = 0) {
    out.next = next;
    out.bug = bug;
    out.expected = detail;
    return kStop;
  }
  std::int32_t fail(Bug bug, std::int64_t detail = 0) { return stop(Next::kFailed, bug, detail); }

  // Whether the thread must not use a value, because it was never set.
  bool is_unset(std::int64_t value) const { return machine_.memory_.unset().has(value); }
  // Whether it is not even known if a value is 0.
  bool is_open(std::int64_t value) const { return is_unset(value) && machine_.memory_.unset().open(value).value == 0; }
  std::int32_t misuse(std::int64_t value) { return fail(Bug::kIndeterminate, machine_.memory_.unset().origin(value)); }

  Pending out;  // why the thread stops

 private:
  static constexpr std::int64_t kLargest = std::int64_t{1} << 31;  // bytes of an object
  static constexpr std::uint64_t kMostChoices = 1 << 20;           // of one instruction

  std::int64_t get(std::int32_t operand) const { return operand >= 0 ? r_[operand] : pool_[~operand]; }

  std::int32_t set(const Instruction& i, std::int32_t pc, std::int64_t value) {
    r_[i.a] = value;
    return pc + 1;
  }

  // The frame is another one now.
  void enter() {
    r_ = state_ + state_[kBase];
    code_ = &program_.templates[static_cast<std::size_t>(state_[kCode])];
    pool_ = code_->pool.data();
  }

  const std::vector<std::int32_t>& list(const Instruction& i) const {
    return code_->argument_lists[static_cast<std::size_t>(i.d)];
  }
  const Loop& loop(const Instruction& i) const { return code_->loops[static_cast<std::size_t>(i.a)]; }

  bool repeats(const Instruction& i) const;
  std::int32_t partly_set(const Instruction& i, std::int32_t pc, std::int64_t b, std::int64_t c);
  // What arithmetic has no result for: a pair has a number of its own, and a division by zero is a bug.
  std::int32_t no_number(const Instruction& i, std::int32_t pc, std::int64_t b, std::int64_t c) {
    if (static_cast<Binary>(i.kind) != Binary::kPair) return fail(Bug::kDivision);
    return set(i, pc, machine_.memory_.pairs().number(b, c));
  }

  // Finds the place of an access; the thread stops there, as `next` says, unless the place is private.
  template <typename Stop>
  std::int32_t access(const Instruction& i, std::int32_t pc, Stop next);
  bool find(const Instruction& i, std::int64_t pointer, Fault& fault);
  static bool is_skewed(const Instruction& i, std::int64_t pointer) {
    return i.aligned && (offset_of(pointer) & (i.width - 1)) != 0;
  }

  const Machine& machine_;
  const Program& program_;
  const Who& who_;
  std::int64_t* state_;
  std::vector<Printed>* prints_;
  std::int64_t* r_ = nullptr;
  const Template* code_ = nullptr;
  const std::int64_t* pool_ = nullptr;
};

#define PORF_STEP(name)                                                                         \
  template <>                                                                                   \
  inline std::int32_t Machine::Steps::step<Opcode::name>([[maybe_unused]] const Instruction& i, \
                                                         [[maybe_unused]] std::int32_t pc)

PORF_STEP(kMove) { return set(i, pc, get(i.b)); }

PORF_STEP(kBinary) {
  std::int64_t value = 0, b = get(i.b), c = get(i.c);
  if (UnsetValues::may_be(b) || UnsetValues::may_be(c)) [[unlikely]]
    return partly_set(i, pc, b, c);
  if (!binary(static_cast<Binary>(i.kind), b, c, value)) return no_number(i, pc, b, c);
  return set(i, pc, wrap(value, i.width, i.is_signed));
}

// Arithmetic on a value that has bits that were never set.
inline std::int32_t Machine::Steps::partly_set(const Instruction& i, std::int32_t pc, std::int64_t b, std::int64_t c) {
  if (static_cast<Binary>(i.kind) == Binary::kPair) return no_number(i, pc, b, c);
  UnsetValues& unset = machine_.memory_.unset();
  std::int64_t value = 0;
  if (!unset.binary(static_cast<Binary>(i.kind), b, c, value)) return is_unset(c) ? misuse(c) : fail(Bug::kDivision);
  return set(i, pc, machine_.wrapped(value, i));
}

PORF_STEP(kChecked) {
  std::int64_t b = get(i.b), c = get(i.c), value = 0;
  if (is_unset(b) || is_unset(c)) [[unlikely]]
    return partly_set(i, pc, b, c);
  bool fits = true;
  switch (static_cast<Binary>(i.kind)) {
    case Binary::kSub:
      fits = !__builtin_sub_overflow(b, c, &value);
      break;
    case Binary::kMul:
      fits = !__builtin_mul_overflow(b, c, &value);
      break;
    default:
      fits = !__builtin_add_overflow(b, c, &value);
      break;
  }
  return fits && wrap(value, i.width, true) == value ? set(i, pc, value) : fail(Bug::kOverflow);
}

PORF_STEP(kUnset) { return set(i, pc, machine_.memory_.unset().none(i.width, i.is_signed, pc)); }

PORF_STEP(kWithin) {
  std::int64_t pointer = get(i.b), by = get(i.c);
  if (is_unset(pointer) || is_unset(by)) [[unlikely]]
    return misuse(is_unset(pointer) ? pointer : by);
  std::int64_t to = s(u(pointer) + u(by));
  std::int64_t size = is_private(pointer) ? machine_.private_size(state_, pointer) : machine_.memory_.size_at(pointer);
  if (pointer == 0 ? by == 0 : size < 0 || u(offset_of(pointer) + by) <= u(size)) return set(i, pc, to);
  return fail(Bug::kBeyond, to);
}

PORF_STEP(kUnary) {
  std::int64_t value = 0, b = get(i.b);
  if (UnsetValues::may_be(b) && is_unset(b)) [[unlikely]]
    return set(i, pc, machine_.wrapped(machine_.memory_.unset().unary(static_cast<Unary>(i.kind), b), i));
  if (!unary(static_cast<Unary>(i.kind), b, value)) value = machine_.memory_.asked(static_cast<Unary>(i.kind), b);
  return set(i, pc, wrap(value, i.width, i.is_signed));
}

PORF_STEP(kSelect) {
  std::int64_t condition = get(i.b);
  if (condition == 0) return set(i, pc, get(i.d));
  return is_open(condition) ? misuse(condition) : set(i, pc, get(i.c));
}

PORF_STEP(kJump) { return i.a; }
PORF_STEP(kJumpIf) {
  std::int64_t condition = get(i.b);
  if (condition == 0) return pc + 1;
  return is_open(condition) ? misuse(condition) : i.a;
}
PORF_STEP(kJumpUnless) {
  std::int64_t condition = get(i.b);
  if (condition == 0) return i.a;
  return is_open(condition) ? misuse(condition) : pc + 1;
}

PORF_STEP(kHead) {
  r_[i.b + 1] = who_.effect;
  r_[i.b + 2] = who_.events;
  r_[i.b + 3] = state_[kMemory];
  std::int64_t* saved = r_ + loop(i).saved;
  for (std::int32_t live : loop(i).live) *saved++ = r_[live];
  return pc + 1;
}

// Whether the iteration that ends has changed nothing.
inline bool Machine::Steps::repeats(const Instruction& i) const {
  auto kind = static_cast<Back>(i.kind);
  if (r_[i.b + 1] != who_.effect || r_[i.b + 3] != state_[kMemory] || kind == Back::kNever) return false;
  bool is_first = r_[i.b] == 0 && state_[kKept] == 0;  // so nothing has changed since the loop was entered
  if (kind == Back::kVisible && is_first && r_[i.b + 2] != who_.events) return true;
  const std::int64_t* saved = r_ + loop(i).saved;
  const std::vector<std::int32_t>& live = loop(i).live;
  return std::all_of(live.begin(), live.end(), [&](std::int32_t reg) { return *saved++ == r_[reg]; });
}

PORF_STEP(kBack) {
  if (repeats(i)) return r_[i.b + 2] == who_.events ? fail(Bug::kEndless) : stop(Next::kSpins, Bug::kNone, i.a);
  if (++r_[i.b] > machine_.unroll_) return stop(Next::kCut, Bug::kNone, i.a);
  return i.c;
}

PORF_STEP(kAssume) {
  std::int64_t condition = get(i.b);
  if (is_open(condition)) return misuse(condition);
  if (condition != 0) return pc + 1;
  auto kind = static_cast<Assumption>(i.kind);
  return stop(kind == Assumption::kAwaited    ? Next::kAwaits
              : kind == Assumption::kRepeated ? Next::kSpins
                                              : Next::kAssumed);
}

PORF_STEP(kAssert) {
  std::int64_t condition = get(i.b);
  if (is_open(condition)) return misuse(condition);
  return condition != 0 ? pc + 1 : fail(Bug::kAssertion, i.c);
}
PORF_STEP(kFail) { return fail(i.d == 0 ? Bug::kAssertion : static_cast<Bug>(i.d), i.c); }

PORF_STEP(kExit) {
  out.value = get(i.b);
  return stop(Next::kEnded);
}

PORF_STEP(kCall) {
  std::int32_t called = machine_.callee(i, state_);
  if (called < 0) return is_unset(get(i.b)) ? misuse(get(i.b)) : fail(Bug::kNoFunction, get(i.b));
  const Template& t = program_.templates[static_cast<std::size_t>(called)];
  if (static_cast<Callee>(i.kind) == Callee::kPointer && i.c >= 0 && t.signature >= 0 && i.c != t.signature)
    return fail(Bug::kWrongType);
  std::int64_t base = state_[kTop] + kLinks, top = base + t.registers + t.private_slots;
  if (top > machine_.stack_.slots) {
    if (machine_.stack_.grows) throw Grow{Grow::kStack};
    return stop(Next::kCut);
  }
  std::int64_t* registers = state_ + base;
  std::fill(registers, state_ + top, 0);
  const std::vector<std::int32_t>& given = list(i);
  for (std::size_t n = 0; n < given.size() && n < static_cast<std::size_t>(t.parameters); ++n)
    registers[n] = get(given[n]);
  registers[kReturnTo] = pc + 1;
  registers[kCaller] = state_[kBase];
  registers[kCallerCode] = state_[kCode];
  registers[kResult] = i.a;
  state_[kBase] = base;
  state_[kTop] = top;
  state_[kCode] = called;
  enter();
  return t.entry;
}

PORF_STEP(kReturn) {
  std::int64_t value = get(i.b);
  if (r_[kCaller] == 0) {
    out.value = value;
    return stop(Next::kEnded);
  }
  for (std::int64_t w = state_[kBase] + code_->registers; w < state_[kTop]; ++w) remember(state_, w, state_[w], 0);
  std::int64_t result = r_[kResult];
  auto next = static_cast<std::int32_t>(r_[kReturnTo]);
  state_[kTop] = state_[kBase] - kLinks;
  state_[kCode] = r_[kCallerCode];
  state_[kBase] = r_[kCaller];
  enter();
  r_[result] = value;
  return next;
}

PORF_STEP(kAddress) {
  auto home = static_cast<Home>(i.kind);
  if (home == Home::kThread) return set(i, pc, private_pointer(kHeader + i.c, 0));
  std::int64_t slot = state_[kBase] + code_->registers + i.c;
  if (state_[slot] == 0 && home == Home::kFrame) machine_.begin_object(state_, slot, i.d, true);
  return set(i, pc, private_pointer(slot, serial_of(state_[slot])));
}

PORF_STEP(kLife) {
  std::int64_t slot = state_[kBase] + code_->registers + i.c;
  if (state_[slot] != 0) machine_.end_object(state_, slot);
  if (static_cast<Life>(i.kind) == Life::kBegin) machine_.begin_object(state_, slot, i.d, false);
  return pc + 1;
}

PORF_STEP(kAllocate) {
  std::int64_t size = get(i.b);
  if (is_unset(size)) return misuse(size);
  if (size < 0) return fail(Bug::kSize, size);
  if (size > kLargest) return set(i, pc, 0);  // as malloc does when there is not that much
  state_[kLast] = machine_.memory_.allocate(who_.thread, who_.events, state_[kLast], pc, size, i.c,
                                            static_cast<Allocation>(i.kind));
  state_[kMemory] = s(u(state_[kMemory]) + u(mixed(kLast, state_[kLast])));
  return set(i, pc, pointer_to(state_[kLast]));
}

PORF_STEP(kSelf) {
  bool next = static_cast<Handle>(i.kind) == Handle::kNext;
  return set(i, pc, next ? machine_.threads_.child(who_.thread, state_[kStarted]) : who_.thread);
}

PORF_STEP(kPrint) {
  for (std::int32_t operand : list(i))
    if (is_unset(get(operand))) return misuse(get(operand));
  if (prints_ == nullptr) return pc + 1;
  Printed printed{-1, who_.thread, pc, {}};
  for (std::int32_t operand : list(i)) printed.values.push_back(get(operand));
  prints_->push_back(std::move(printed));
  return pc + 1;
}

PORF_STEP(kFence) {
  out.order = i.order;
  return stop(Next::kFence);
}

PORF_STEP(kSpawn) {
  if (machine_.callee(i, state_) >= 0) return stop(Next::kSpawn);
  return is_unset(get(i.b)) ? misuse(get(i.b)) : fail(Bug::kNoFunction, get(i.b));
}

PORF_STEP(kJoin) {
  out.value = get(i.b);
  return is_unset(out.value) ? misuse(out.value) : stop(Next::kJoin);
}

PORF_STEP(kFree) {
  std::int64_t pointer = get(i.b);
  if (pointer == 0) return pc + 1;
  if (is_unset(pointer)) return misuse(pointer);
  auto storage = static_cast<Storage>(i.kind);
  const MemoryMap& memory = machine_.memory_;
  out.value = storage == Storage::kStack ? number_of(pointer) : memory.heap_object(pointer);
  if (out.value == 0) return fail(Bug::kNotHeap, pointer);
  if (storage != Storage::kStack && MemoryMap::storage_of(memory.object(out.value).allocation) != storage)
    return fail(Bug::kOtherFree, pointer);
  return stop(Next::kFree);
}

PORF_STEP(kChoose) {
  std::int64_t least = get(i.b);
  out.value = get(i.c);
  if (is_unset(least) || is_unset(out.value)) return misuse(is_unset(least) ? least : out.value);
  if (out.value < least) return stop(Next::kAssumed);
  if (u(out.value) - u(least) >= kMostChoices) return stop(Next::kCut);
  out.weak = i.weak;
  return stop(Next::kChoose, Bug::kNone, least);
}

}  // namespace porf::explore
