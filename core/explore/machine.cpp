#include "explore/machine.hpp"

#include <algorithm>
#include <limits>

namespace porf::explore {

namespace {

constexpr std::int64_t kLocalSteps = 10'000'000;  // between two events; then the thread runs forever
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

std::uint64_t u(std::int64_t x) { return static_cast<std::uint64_t>(x); }
std::int64_t s(std::uint64_t x) { return static_cast<std::int64_t>(x); }

// False if it divides by zero.
bool binary(Binary kind, std::int64_t b, std::int64_t c, std::int64_t& a) {
  switch (kind) {
    case Binary::kAdd:
      a = s(u(b) + u(c));
      return true;
    case Binary::kSub:
      a = s(u(b) - u(c));
      return true;
    case Binary::kMul:
      a = s(u(b) * u(c));
      return true;
    case Binary::kDiv:
      if (c == 0) return false;
      a = b == kLeast && c == -1 ? b : b / c;
      return true;
    case Binary::kMod:
      if (c == 0) return false;
      a = c == -1 ? 0 : b % c;
      return true;
    case Binary::kAnd:
      a = b & c;
      return true;
    case Binary::kOr:
      a = b | c;
      return true;
    case Binary::kXor:
      a = b ^ c;
      return true;
    case Binary::kShl:
      a = u(c) > 63 ? 0 : s(u(b) << c);
      return true;
    case Binary::kShr:
      a = b >> (u(c) > 63 ? 63 : c);
      return true;
    case Binary::kUshr:
      a = u(c) > 63 ? 0 : s(u(b) >> c);
      return true;
    case Binary::kEq:
      a = b == c;
      return true;
    case Binary::kNe:
      a = b != c;
      return true;
    case Binary::kLt:
      a = b < c;
      return true;
    case Binary::kLe:
      a = b <= c;
      return true;
    case Binary::kGt:
      a = b > c;
      return true;
    case Binary::kGe:
      a = b >= c;
      return true;
    case Binary::kUlt:
      a = u(b) < u(c);
      return true;
    case Binary::kUle:
      a = u(b) <= u(c);
      return true;
    case Binary::kUgt:
      a = u(b) > u(c);
      return true;
    case Binary::kUge:
      a = u(b) >= u(c);
      return true;
    case Binary::kUdiv:
      if (c == 0) return false;
      a = s(u(b) / u(c));
      return true;
    case Binary::kUmod:
      if (c == 0) return false;
      a = s(u(b) % u(c));
      return true;
    case Binary::kFloorDiv:
      if (c == 0) return false;
      if (b == kLeast && c == -1) return a = b, true;
      a = b / c - (b % c != 0 && (b < 0) != (c < 0));
      return true;
    case Binary::kFloorMod:
      if (c == 0) return false;
      if (c == -1) return a = 0, true;
      a = b % c;
      if (a != 0 && (a < 0) != (c < 0)) a += c;
      return true;
    case Binary::kMin:
      a = std::min(b, c);
      return true;
    case Binary::kMax:
      a = std::max(b, c);
      return true;
  }
  return false;
}

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

std::int64_t Machine::wrap(std::int64_t value, std::uint8_t width, bool is_signed) {
  switch (width) {
    case 1:
      return is_signed ? static_cast<std::int8_t>(value) : static_cast<std::uint8_t>(value);
    case 2:
      return is_signed ? static_cast<std::int16_t>(value) : static_cast<std::uint16_t>(value);
    case 4:
      return is_signed ? static_cast<std::int32_t>(value) : static_cast<std::uint32_t>(value);
    default:
      return value;
  }
}

bool Machine::modify(const Pending& op, std::int64_t old, std::int64_t& written) {
  if (op.next == Next::kLoad) return false;
  if (op.next == Next::kLock || op.next == Next::kTry) return written = 1, old == 0;
  if (op.next == Next::kCas) {
    if (wrap(old, op.width, op.is_signed) != wrap(op.expected, op.width, op.is_signed)) return false;
    written = wrap(op.value, op.width, op.is_signed);
    return true;
  }
  std::int64_t v = wrap(op.value, op.width, op.is_signed), r = v;
  switch (static_cast<Modify>(op.kind)) {
    case Modify::kExchange:
      break;
    case Modify::kAdd:
      r = s(u(old) + u(v));
      break;
    case Modify::kSub:
      r = s(u(old) - u(v));
      break;
    case Modify::kAnd:
      r = old & v;
      break;
    case Modify::kOr:
      r = old | v;
      break;
    case Modify::kXor:
      r = old ^ v;
      break;
    case Modify::kNand:
      r = ~(old & v);
      break;
    case Modify::kMin:
      r = op.is_signed ? std::min(old, v) : s(std::min(u(old), u(v)));
      break;
    case Modify::kMax:
      r = op.is_signed ? std::max(old, v) : s(std::max(u(old), u(v)));
      break;
  }
  written = wrap(r, op.width, op.is_signed);
  return true;
}

void Machine::finish(std::int64_t* registers, std::int32_t pc, std::int64_t read, bool wrote) const {
  const Instruction& i = program_.code[static_cast<std::size_t>(pc)];
  switch (i.opcode) {
    case Opcode::kLoad:
      registers[i.a] = wrap(read, i.width, i.is_signed);
      break;
    case Opcode::kRmw:
      registers[i.a] = wrap(read, i.width, i.is_signed);
      break;
    case Opcode::kCas:
      registers[i.a] = wrap(read, i.width, i.is_signed);
      registers[i.e] = wrote;
      break;
    case Opcode::kTrylock:
      registers[i.a] = wrote;
      break;
    case Opcode::kSpawn:
    case Opcode::kJoin:
      registers[i.a] = read;
      break;
    default:
      break;
  }
}

Pending Machine::run(const Template& code, std::int64_t* r, std::int32_t pc, std::int32_t effects) const {
  const std::int64_t* pool = code.pool.data();
  auto get = [&](std::int32_t operand) { return operand >= 0 ? r[operand] : pool[~operand]; };
  Pending out;
  auto stop = [&](Next next, Bug bug = Bug::kNone, std::int64_t detail = 0) {
    out.next = next;
    out.bug = bug;
    out.pc = pc;
    out.expected = detail;
    return out;
  };
  std::uint64_t begun = 0;  // the first 64 loops: has an iteration begun since the last event?
  auto loop_bit = [](std::int32_t loop) { return loop < 64 ? std::uint64_t{1} << loop : 0; };
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
        }
        r[i.a] = wrap(b, i.width, i.is_signed);
        break;
      }
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
        const Loop& loop = code.loops[static_cast<std::size_t>(i.a)];
        r[i.b + 1] = effects;
        begun |= loop_bit(i.a);
        std::int64_t* saved = r + loop.saved;
        for (std::int32_t live : loop.live) *saved++ = r[live];
        break;
      }
      case Opcode::kBack: {
        const Loop& loop = code.loops[static_cast<std::size_t>(i.a)];
        if (r[i.b + 1] == effects) {
          const std::int64_t* saved = r + loop.saved;
          if (std::all_of(loop.live.begin(), loop.live.end(),
                          [&](std::int32_t live) { return *saved++ == r[live]; })) {
            if ((begun & loop_bit(i.a)) != 0) return stop(Next::kFailed, Bug::kEndless);
            return stop(Next::kSpins, Bug::kNone, i.a);
          }
        }
        if (++r[i.b] >= unroll_) return stop(Next::kCut, Bug::kNone, i.a);
        pc = i.c;
        continue;
      }
      case Opcode::kAssume:
        if (get(i.b) == 0) return stop(Next::kAssumed);
        break;
      case Opcode::kAssert:
        if (get(i.b) == 0) return stop(Next::kFailed, Bug::kAssertion, i.c);
        break;
      case Opcode::kFail:
        return stop(Next::kFailed, Bug::kAssertion, i.c);
      case Opcode::kExit:
        out.value = get(i.b);
        return stop(Next::kEnded);
      case Opcode::kFence:
        out.order = i.order;
        return stop(Next::kFence);
      case Opcode::kSpawn:
        return stop(Next::kSpawn);
      case Opcode::kJoin:
        out.value = get(i.b);
        return stop(Next::kJoin);
      default: {
        Fault fault = Fault::kNone;
        out.loc = memory_.find(get(i.b), i.width, fault);
        if (out.loc < 0) return stop(Next::kFailed, bug_of(fault), get(i.b));
        out.order = i.order;
        out.failure = i.failure;
        out.kind = i.kind;
        out.width = i.width;
        out.is_signed = i.is_signed;
        out.weak = i.weak;
        switch (i.opcode) {
          case Opcode::kLoad:
            return stop(Next::kLoad);
          case Opcode::kStore:
            out.value = wrap(get(i.c), i.width, i.is_signed);
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
