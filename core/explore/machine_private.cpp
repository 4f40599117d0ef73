// Accesses of private memory.
#include <cstring>

#include "explore/arithmetic.hpp"
#include "explore/machine.hpp"

namespace porf::explore {

Bug Machine::access_private(const Instruction& i, std::int64_t* state, std::int64_t pointer) const {
  std::int64_t slot = private_slot(pointer), offset = offset_of(pointer);
  if (slot >= state[kTop]) return Bug::kDangling;
  if (slot < kHeader || state[slot] - offset_of(state[slot]) != kMark) return Bug::kNowhere;
  if (offset + i.width > offset_of(state[slot])) return Bug::kOutOfBounds;
  std::int64_t* registers = state + state[kBase];
  char* bytes = reinterpret_cast<char*>(state + slot + 1) + offset;
  auto store = [&](std::int64_t value) {
    std::int64_t first = slot + 1 + offset / 8, last = slot + 1 + (offset + i.width - 1) / 8;
    for (std::int64_t w = first; w <= last; ++w) remember(state, w, state[w], 0);
    std::memcpy(bytes, &value, i.width);
    for (std::int64_t w = first; w <= last; ++w) remember(state, w, 0, state[w]);
  };
  if (i.opcode == Opcode::kStore) {
    store(operand(state, i.c));
    return Bug::kNone;
  }
  std::int64_t old = 0, written = 0;
  std::memcpy(&old, bytes, i.width);
  old = wrap(old, i.width, i.is_signed);
  Pending op;
  op.kind = i.kind;
  op.width = i.width;
  op.is_signed = i.is_signed;
  switch (i.opcode) {
    case Opcode::kLoad:
      registers[i.a] = old;
      return Bug::kNone;
    case Opcode::kRmw:
      op.next = Next::kRmw;
      op.value = operand(state, i.c);
      modify(op, old, written);
      store(written);
      registers[i.a] = old;
      return Bug::kNone;
    case Opcode::kCas: {
      op.next = Next::kCas;
      op.expected = operand(state, i.c);
      op.value = operand(state, i.d);
      bool wrote = modify(op, old, written);
      if (wrote) store(written);
      registers[i.a] = old;
      registers[i.e] = wrote;
      return Bug::kNone;
    }
    default:
      return Bug::kNowhere;  // mutexes and barriers are shared
  }
}

}  // namespace porf::explore
