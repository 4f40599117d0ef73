// Private memory: its objects, and accesses of them.
#include <cstring>

#include "explore/arithmetic.hpp"
#include "explore/machine.hpp"

namespace porf::explore {

namespace {

// The bytes of a private object from an offset on, and beside them the bits that were never set.
struct Span {
  std::int64_t* state;
  std::int64_t first;  // slot
  std::int64_t words;
  std::int64_t offset;

  void write(std::int64_t slot, std::int64_t value, std::uint8_t width) const {
    std::int64_t begin = slot + offset / 8, end = slot + (offset + width - 1) / 8;
    for (std::int64_t w = begin; w <= end; ++w) remember(state, w, state[w], 0);
    std::memcpy(reinterpret_cast<char*>(state + slot) + offset, &value, width);
    for (std::int64_t w = begin; w <= end; ++w) remember(state, w, 0, state[w]);
  }
  std::int64_t read(std::int64_t slot, std::uint8_t width) const {
    std::int64_t value = 0;
    std::memcpy(&value, reinterpret_cast<const char*>(state + slot) + offset, width);
    return value;
  }

  void store(const Partial& partial, std::uint8_t width) const {
    write(first, partial.value, width);
    write(first + words, partial.unset, width);
  }
  Partial load(const Instruction& i) const {
    return {wrap(read(first, i.width), i.width, i.is_signed), wrap(read(first + words, i.width), i.width, i.is_signed)};
  }
};

// A pointer just before an object has lost its slot to the offset.
std::int64_t nearest(std::int64_t pointer) { return pointer + (std::int64_t{1} << (kOffsetBits - 1)); }

}  // namespace

void Machine::begin_object(std::int64_t* state, std::int64_t slot, std::int64_t size, bool is_set) const {
  state[kSerial] = (state[kSerial] + 1) % kSerials;
  state[slot] = marked(state[kSerial], size);
  remember(state, slot, 0, state[slot]);
  if (is_set) return;
  std::int64_t words = words_of(size);
  for (std::int64_t w = slot + 1 + words; w <= slot + 2 * words; ++w) {
    state[w] = -1;
    remember(state, w, 0, -1);
  }
}

void Machine::end_object(std::int64_t* state, std::int64_t slot) const {
  std::int64_t end = slot + slots_of(offset_of(state[slot]));
  for (std::int64_t w = slot; w < end; ++w) {
    remember(state, w, state[w], 0);
    state[w] = 0;
  }
}

std::int64_t Machine::private_size(const std::int64_t* state, std::int64_t pointer) const {
  std::int64_t slot = private_slot(pointer);
  if (slot < kHeader || slot >= state[kTop]) return -1;
  std::int64_t mark = state[slot];
  return number_of(mark) == (kMark | private_serial(pointer)) ? offset_of(mark) : -1;
}

Bug Machine::access_private(const Instruction& i, std::int64_t* state, std::int64_t pointer) const {
  if (i.width > 8) return Bug::kNowhere;  // what is accessed so is never private
  std::int64_t size = private_size(state, pointer), offset = offset_of(pointer);
  if (size < 0) return private_size(state, nearest(pointer)) < 0 ? Bug::kDangling : Bug::kOutOfBounds;
  if (offset + i.width > size) return Bug::kOutOfBounds;
  if (i.aligned && offset % i.width != 0) return Bug::kMisaligned;
  std::int64_t* registers = state + state[kBase];
  UnsetValues& unset = memory_.unset();
  Span bytes{state, private_slot(pointer) + 1, words_of(size), offset};
  if (i.opcode == Opcode::kStore) {
    bytes.store(unset.open(operand(state, i.c)), i.width);
    return Bug::kNone;
  }
  Partial old = bytes.load(i);
  if (i.opcode == Opcode::kLoad) {
    registers[i.a] = unset.close(old);
    return Bug::kNone;
  }
  if (old.unset != 0) return Bug::kIndeterminate;
  std::int64_t written = 0;
  Pending op;
  op.kind = i.kind;
  op.width = i.width;
  op.is_signed = i.is_signed;
  switch (i.opcode) {
    case Opcode::kRmw:
      op.next = Next::kRmw;
      op.value = operand(state, i.c);
      modify(op, old.value, written);
      bytes.store({written}, i.width);
      registers[i.a] = old.value;
      return Bug::kNone;
    case Opcode::kCas: {
      op.next = Next::kCas;
      op.expected = operand(state, i.c);
      op.value = operand(state, i.d);
      bool wrote = modify(op, old.value, written);
      if (wrote) bytes.store({written}, i.width);
      registers[i.a] = old.value;
      registers[i.e] = wrote;
      return Bug::kNone;
    }
    default:
      return Bug::kNowhere;  // mutexes and barriers are shared
  }
}

}  // namespace porf::explore
