#include "explore/machine.hpp"

#include <algorithm>

#include "explore/arithmetic.hpp"

namespace porf::explore {

namespace {

constexpr std::int64_t kLocalSteps = 10'000'000;          // between two events; then the thread runs forever
constexpr std::int64_t kLargest = std::int64_t{1} << 31;  // bytes of an object
constexpr std::uint64_t kMostChoices = 1 << 20;           // of one instruction

Bug bug_of(Fault fault) {
  switch (fault) {
    case Fault::kNone:
      return Bug::kNone;
    case Fault::kNowhere:
      return Bug::kNowhere;
    case Fault::kOutOfBounds:
      return Bug::kOutOfBounds;
    case Fault::kMisaligned:
      return Bug::kMisaligned;
    case Fault::kMixedWidth:
      return Bug::kMixedWidth;
  }
  return Bug::kNone;
}

}  // namespace

bool Machine::modify(const Pending& op, std::int64_t old, std::int64_t& written) {
  if (op.next == Next::kLoad) return false;
  if (op.next == Next::kLock || op.next == Next::kTry) return written = 1, old == 0;
  if (op.next == Next::kCas) {
    if (wrap(old, op.width, op.is_signed) != wrap(op.expected, op.width, op.is_signed)) return false;
    written = wrap(op.value, op.width, op.is_signed);
    return true;
  }
  std::int64_t operand = wrap(op.value, op.width, op.is_signed);
  old = wrap(old, op.width, op.is_signed);  // another access may have had the other sign
  written = wrap(modified(static_cast<Modify>(op.kind), old, operand, op.is_signed), op.width, op.is_signed);
  return true;
}

void Machine::begin(std::int64_t* state, std::int32_t code) const {
  const Template& t = program_.templates[static_cast<std::size_t>(code)];
  std::int32_t top = root_ + t.registers + t.private_slots;
  if (top > stack_.slots) throw Grow{Grow::kStack};
  std::fill_n(state, top, 0);
  state[kBase] = root_;
  state[kTop] = top;
  state[kCode] = code;
  for (const Local& local : program_.locals) {
    std::int64_t* slot = state + kHeader + local.slot;
    *slot++ = kMark | local.size;
    std::copy(local.words.begin(), local.words.end(), slot);
  }
}

std::int32_t Machine::callee(const Instruction& i, const std::int64_t* state) const {
  if (i.kind == 0) return i.c;
  std::int64_t pointer = operand(state, i.b), number = pointer >> 32;
  if (number <= 0 || number > static_cast<std::int64_t>(program_.objects.size()) ||
      (pointer & 0xFFFFFFFF) != 0)
    return -1;
  return program_.objects[static_cast<std::size_t>(number) - 1].code;
}

std::int32_t Machine::finish(std::int64_t* state, std::int32_t pc, std::int64_t read, bool wrote,
                             std::uint8_t width) const {
  const Instruction& i = program_.code[static_cast<std::size_t>(pc)];
  std::int64_t* registers = state + state[kBase];
  switch (i.opcode) {
    case Opcode::kLoad:
      if (width < i.width) {
        std::uint64_t bits = u(read) & ((std::uint64_t{1} << 8 * width) - 1);
        state[kPartial] = s(u(state[kPartial]) | bits << 8 * state[kPart]);
        state[kPart] += width;
        return pc;
      }
      registers[i.a] = wrap(read, i.width, i.is_signed);
      break;
    case Opcode::kStore:
      if (width < i.width) {
        state[kPart] += width;
        return pc;
      }
      break;
    case Opcode::kRmw:
      registers[i.a] = wrap(read, i.width, i.is_signed);
      break;
    case Opcode::kCas:
      registers[i.a] = wrap(read, i.width, i.is_signed);
      registers[i.e] = wrote;
      break;
    case Opcode::kTrylock:
    case Opcode::kBarrier:
      registers[i.a] = wrote;
      break;
    case Opcode::kSpawn:
      ++state[kStarted];
      registers[i.a] = read;
      break;
    case Opcode::kJoin:
    case Opcode::kChoose:
      registers[i.a] = read;
      break;
    default:
      break;
  }
  return pc + 1;
}

Pending Machine::run(const Who& who, std::int64_t* state, std::int32_t pc,
                     std::vector<Printed>* prints) const {
  std::int64_t* r = state + state[kBase];
  const Template* code = &program_.templates[static_cast<std::size_t>(state[kCode])];
  const std::int64_t* pool = code->pool.data();
  auto get = [&](std::int32_t operand) { return operand >= 0 ? r[operand] : pool[~operand]; };
  auto enter = [&] {
    r = state + state[kBase];
    code = &program_.templates[static_cast<std::size_t>(state[kCode])];
    pool = code->pool.data();
  };
  Pending out;
  auto stop = [&](Next next, Bug bug = Bug::kNone, std::int64_t detail = 0) {
    out.next = next;
    out.bug = bug;
    out.pc = pc;
    out.expected = detail;
    return out;
  };
  for (std::int64_t step = 0; step < kLocalSteps; ++step) {
    const Instruction& i = program_.code[static_cast<std::size_t>(pc)];
    switch (i.opcode) {
      case Opcode::kMove:
        r[i.a] = get(i.b);
        break;
      case Opcode::kBinary: {
        std::int64_t a = 0;
        if (!binary(static_cast<Binary>(i.kind), get(i.b), get(i.c), a))
          return stop(Next::kFailed, Bug::kDivision);
        r[i.a] = wrap(a, i.width, i.is_signed);
        break;
      }
      case Opcode::kUnary: {
        std::int64_t b = get(i.b);
        switch (static_cast<Unary>(i.kind)) {
          case Unary::kNeg:
            b = s(0 - u(b));
            break;
          case Unary::kInvert:
            b = ~b;
            break;
          case Unary::kNot:
            b = b == 0;
            break;
          case Unary::kWrap:
            break;
          case Unary::kCell:
            b = memory_.declared(b);
            break;
          case Unary::kRoom:
            b = memory_.room(b);
            break;
        }
        r[i.a] = wrap(b, i.width, i.is_signed);
        break;
      }
      case Opcode::kSelect:
        r[i.a] = get(i.b) != 0 ? get(i.c) : get(i.d);
        break;
      case Opcode::kJump:
        pc = i.a;
        continue;
      case Opcode::kJumpIf:
        if (get(i.b) != 0) {
          pc = i.a;
          continue;
        }
        break;
      case Opcode::kJumpUnless:
        if (get(i.b) == 0) {
          pc = i.a;
          continue;
        }
        break;
      case Opcode::kHead: {
        const Loop& loop = code->loops[static_cast<std::size_t>(i.a)];
        r[i.b + 1] = who.effect;
        r[i.b + 2] = who.events;
        r[i.b + 3] = state[kMemory];
        std::int64_t* saved = r + loop.saved;
        for (std::int32_t live : loop.live) *saved++ = r[live];
        break;
      }
      case Opcode::kBack: {
        const Loop& loop = code->loops[static_cast<std::size_t>(i.a)];
        if (r[i.b + 1] == who.effect && r[i.b + 3] == state[kMemory]) {
          const std::int64_t* saved = r + loop.saved;
          if (i.kind == 1 || std::all_of(loop.live.begin(), loop.live.end(),
                                         [&](std::int32_t live) { return *saved++ == r[live]; })) {
            if (r[i.b + 2] == who.events) return stop(Next::kFailed, Bug::kEndless);
            return stop(Next::kSpins, Bug::kNone, i.a);
          }
        }
        if (++r[i.b] >= unroll_) return stop(Next::kCut, Bug::kNone, i.a);
        pc = i.c;
        continue;
      }
      case Opcode::kAssume:
        if (get(i.b) == 0) return stop(i.kind == 1 ? Next::kAwaits : Next::kAssumed);
        break;
      case Opcode::kAssert:
        if (get(i.b) == 0) return stop(Next::kFailed, Bug::kAssertion, i.c);
        break;
      case Opcode::kFail:
        return stop(Next::kFailed, Bug::kAssertion, i.c);
      case Opcode::kExit:
        out.value = get(i.b);
        return stop(Next::kEnded);
      case Opcode::kCall: {
        std::int32_t called = callee(i, state);
        if (called < 0) return stop(Next::kFailed, Bug::kNoFunction, get(i.b));
        const Template& t = program_.templates[static_cast<std::size_t>(called)];
        std::int64_t base = state[kTop] + kLinks, top = base + t.registers + t.private_slots;
        if (top > stack_.slots) {
          if (stack_.grows) throw Grow{Grow::kStack};
          return stop(Next::kCut);
        }
        std::int64_t* registers = state + base;
        std::fill(registers, state + top, 0);
        const std::vector<std::int32_t>& given = code->argument_lists[static_cast<std::size_t>(i.d)];
        for (std::size_t n = 0; n < given.size() && n < static_cast<std::size_t>(t.parameters); ++n)
          registers[n] = get(given[n]);
        registers[kReturnTo] = pc + 1;
        registers[kCaller] = state[kBase];
        registers[kCallerCode] = state[kCode];
        registers[kResult] = i.a;
        state[kBase] = base;
        state[kTop] = top;
        state[kCode] = called;
        enter();
        pc = t.entry;
        continue;
      }
      case Opcode::kReturn: {
        std::int64_t value = get(i.b);
        if (r[kCaller] == 0) {
          out.value = value;
          return stop(Next::kEnded);
        }
        for (std::int64_t w = state[kBase] + code->registers; w < state[kTop]; ++w)
          remember(state, w, state[w], 0);
        std::int64_t result = r[kResult];
        pc = static_cast<std::int32_t>(r[kReturnTo]);
        state[kTop] = state[kBase] - kLinks;
        state[kCode] = r[kCallerCode];
        state[kBase] = r[kCaller];
        enter();
        r[result] = value;
        continue;
      }
      case Opcode::kAddress: {
        std::int64_t slot = i.kind == 1 ? kHeader + i.c : state[kBase] + code->registers + i.c;
        if (i.kind == 0 && state[slot] == 0) {
          state[slot] = kMark | i.d;
          remember(state, slot, 0, state[slot]);
        }
        r[i.a] = private_pointer(slot);
        break;
      }
      case Opcode::kAllocate: {
        std::int64_t size = get(i.b);
        if (size < 0) return stop(Next::kFailed, Bug::kSize, size);
        if (size > kLargest) {
          r[i.a] = 0;  // as malloc does when there is not that much
          break;
        }
        state[kLast] = memory_.allocate(who.thread, who.events, state[kLast], pc, size, i.c,
                                        static_cast<Allocation>(i.kind));
        state[kMemory] = s(u(state[kMemory]) + u(mixed(kLast, state[kLast])));
        r[i.a] = state[kLast] << 32;
        break;
      }
      case Opcode::kSelf:
        r[i.a] = i.kind == 1 ? threads_.child(who.thread, state[kStarted]) : who.thread;
        break;
      case Opcode::kPrint:
        if (prints != nullptr) {
          Printed printed{-1, who.thread, pc, {}};
          for (std::int32_t operand : code->argument_lists[static_cast<std::size_t>(i.d)])
            printed.values.push_back(get(operand));
          prints->push_back(std::move(printed));
        }
        break;
      case Opcode::kFence:
        out.order = i.order;
        return stop(Next::kFence);
      case Opcode::kSpawn:
        if (callee(i, state) < 0) return stop(Next::kFailed, Bug::kNoFunction, get(i.b));
        return stop(Next::kSpawn);
      case Opcode::kJoin:
        out.value = get(i.b);
        return stop(Next::kJoin);
      case Opcode::kFree:
        if (get(i.b) == 0) break;
        out.value = i.kind == 1 ? get(i.b) >> 32 : memory_.heap_object(get(i.b));
        if (out.value == 0) return stop(Next::kFailed, Bug::kNotHeap, get(i.b));
        return stop(Next::kFree);
      case Opcode::kChoose:
        out.value = get(i.c);
        if (out.value < get(i.b)) return stop(Next::kAssumed);
        if (u(out.value) - u(get(i.b)) >= kMostChoices) return stop(Next::kCut);
        return stop(Next::kChoose, Bug::kNone, get(i.b));
      default: {
        std::int64_t pointer = get(i.b);
        if (is_private(pointer)) {
          Bug bug = access_private(i, state, pointer);
          if (bug != Bug::kNone) return stop(Next::kFailed, bug, pointer);
          break;
        }
        bool plain = i.order == kNa && (i.opcode == Opcode::kLoad || i.opcode == Opcode::kStore);
        std::int64_t& part = state[kPart];
        Fault fault = Fault::kNone;
        while (part < i.width) {
          std::int64_t skipped = 0;
          Split split = !plain ? Split::kNever : part > 0 ? Split::kRest : Split::kWhole;
          out.loc = memory_.find(pointer + part, i.width - part, split, fault, skipped);
          if (out.loc >= 0 || fault != Fault::kNone) break;
          part += skipped;
        }
        if (fault != Fault::kNone) return stop(Next::kFailed, bug_of(fault), pointer);
        if (part >= i.width) {  // all its places are done
          if (i.opcode == Opcode::kLoad) r[i.a] = wrap(state[kPartial], i.width, i.is_signed);
          part = state[kPartial] = 0;
          break;
        }
        out.order = i.order;
        out.failure = i.failure;
        out.kind = i.kind;
        out.width = memory_[out.loc].width;
        out.is_signed = i.is_signed;
        out.weak = i.weak;
        switch (i.opcode) {
          case Opcode::kLoad:
            return stop(Next::kLoad);
          case Opcode::kStore:
            out.value = wrap(get(i.c) >> 8 * part, out.width, i.is_signed);
            return stop(Next::kStore);
          case Opcode::kRmw:
            out.value = get(i.c);
            return stop(Next::kRmw);
          case Opcode::kCas:
            out.value = get(i.d);
            return stop(Next::kCas, Bug::kNone, get(i.c));
          case Opcode::kLock:
            out.order = kAcq;
            return stop(Next::kLock);
          case Opcode::kUnlock:
            out.order = kRel;
            return stop(Next::kUnlock);
          case Opcode::kBarrier:
            return stop(Next::kBarrier);
          default:  // trylock
            out.order = kAcq;
            return stop(Next::kTry);
        }
      }
    }
    ++pc;
  }
  return stop(Next::kFailed, Bug::kEndless);
}

}  // namespace porf::explore
