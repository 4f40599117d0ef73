#include "explore/machine.hpp"

#include <algorithm>

#include "explore/steps.hpp"
#include "explore/steps_access.hpp"
#include "explore/work.hpp"

namespace porf::explore {

namespace {

constexpr std::int64_t kLocalSteps = 10'000'000;  // between two events; then the thread runs forever
constexpr std::uint64_t kInstructionsAStep = 64;
thread_local std::uint64_t instructions = 0;  // that were run and are in no budget yet

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
  written = wrap(modified(static_cast<Modify>(op.kind), old, operand, op.width, op.is_signed), op.width, op.is_signed);
  return true;
}

void Machine::begin(std::int64_t* state, std::int32_t code) const {
  const Template& t = program_.templates[code];
  std::int32_t top = root_ + t.registers + t.private_slots;
  if (top > stack_.slots) throw Grow{Grow::kStack};
  std::fill_n(state, top, 0);
  state[kBase] = root_;
  state[kTop] = top;
  state[kCode] = code;
  if (dependencies_ != nullptr) {
    state[kShadow] = stack_.slots;
    std::fill_n(state + stack_.slots, top, 0);
  }
  for (const Local& local : program_.locals) {
    std::int64_t* slot = state + kHeader + local.slot;
    *slot++ = marked(0, local.size);
    std::copy(local.words.begin(), local.words.end(), slot);
  }
}

std::int32_t Machine::callee(const Instruction& i, const std::int64_t* state) const {
  if (static_cast<Callee>(i.kind) == Callee::kTemplate) return i.c;
  std::int64_t pointer = operand(state, i.b), number = number_of(pointer);
  if (number <= 0 || number > static_cast<std::int64_t>(program_.objects.size()) || offset_of(pointer) != 0) return -1;
  return program_.objects[static_cast<std::size_t>(number) - 1].code;
}

std::int32_t Machine::finish(std::int64_t* state, std::int32_t pc, std::int64_t read, bool wrote,
                             std::uint8_t width) const {
  const Instruction& i = program_.code[pc];
  std::int64_t* registers = state + state[kBase];
  switch (i.opcode) {
    case Opcode::kLoad:
      if (width < i.width) {
        state[kPartial] = memory_.unset().joined(state[kPartial], read, width, state[kPart]);
        state[kPart] += width;
        if (state[kPart] < i.width) return pc;
        read = state[kPartial];
        state[kPart] = state[kPartial] = 0;
      }
      registers[i.a] = wrapped(read, i);
      break;
    case Opcode::kStore:
      if (width < i.width) {
        state[kPart] += width;
        if (state[kPart] < i.width) return pc;
        state[kPart] = 0;
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

std::uint64_t steps_since() {
  const std::uint64_t steps = instructions / kInstructionsAStep;
  instructions %= kInstructionsAStep;
  return steps;
}

Pending Machine::run(const Who& who, std::int64_t* state, std::int32_t pc, std::vector<Printed>* prints) const {
  Steps steps(*this, who, state, prints);
  const bool follows = dependencies_ != nullptr && state[kShadow] != 0;
  for (std::int64_t count = 0; count < kLocalSteps; ++count) {
    const Instruction& i = program_.code[pc];
    std::int32_t next = Steps::kStop;
    if (follows) [[unlikely]]
      dependencies_->pass(*this, program_, i, state);
    switch (i.opcode) {
#define PORF_ENUM(...)
#define PORF_VALUE(...)
#define PORF_END
#define PORF_BINARY(...)
#define PORF_OPCODE(name, ...)                 \
  case Opcode::k##name:                        \
    next = steps.step<Opcode::k##name>(i, pc); \
    break;
#include "explore/instructions.def"
    }
    if (next == Steps::kStop) {
      instructions += static_cast<std::uint64_t>(count);
      steps.out.pc = pc;
      if (follows && steps.out.next < Next::kEnded) steps.out.depends = dependencies_->of_event(i, state);
      return steps.out;
    }
    pc = next;
  }
  instructions += static_cast<std::uint64_t>(kLocalSteps);
  steps.fail(Bug::kEndless);
  steps.out.pc = pc;
  return steps.out;
}

}  // namespace porf::explore
