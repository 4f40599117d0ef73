// What the instructions that access memory do: the place of the access, at once if that is private, otherwise an event.
#pragma once

#include "explore/steps.hpp"

namespace porf::explore {

// The place of the next part of an access that is not private; false if there is a fault.
inline bool Machine::Steps::find(const Instruction& i, std::int64_t pointer, Fault& fault) {
  bool plain = i.order == kNa && (i.opcode == Opcode::kLoad || i.opcode == Opcode::kStore);
  std::int64_t part = state_[kPart];
  out.loc = machine_.memory_.find(pointer + part, i.width - part, plain, fault);
  return out.loc >= 0;
}

template <typename Stop>
std::int32_t Machine::Steps::access(const Instruction& i, std::int32_t pc, Stop next) {
  std::int64_t pointer = get(i.b);
  if (is_private(pointer)) {
    Bug bug = machine_.access_private(i, state_, pointer);
    return bug == Bug::kNone ? pc + 1 : fail(bug, pointer);
  }
  Fault fault = Fault::kNone;
  if (!find(i, pointer, fault)) return is_unset(pointer) ? misuse(pointer) : fail(bug_of(fault), pointer);
  if (is_skewed(i, pointer)) return fail(Bug::kMisaligned, pointer);
  const Place& place = machine_.memory_[out.loc];
  if (place.constant && i.opcode != Opcode::kLoad) return fail(Bug::kConstant, pointer);
  out.order = i.order;
  out.failure = i.failure;
  out.kind = i.kind;
  out.width = place.width;
  out.is_signed = i.is_signed;
  out.weak = i.weak;
  return next();
}

PORF_STEP(kLoad) {
  return access(i, pc, [&] { return stop(Next::kLoad); });
}

PORF_STEP(kStore) {
  return access(i, pc, [&] {
    std::int64_t value = get(i.c);
    if (is_unset(value)) [[unlikely]] {
      if (i.order != kNa) return misuse(value);
      UnsetValues& unset = machine_.memory_.unset();
      unset.binary(Binary::kShr, value, 8 * state_[kPart], value);
      out.value = unset.wrap(value, out.width, i.is_signed);
    } else {
      out.value = wrap(value >> 8 * state_[kPart], out.width, i.is_signed);
    }
    return stop(Next::kStore);
  });
}

PORF_STEP(kRmw) {
  return access(i, pc, [&] {
    out.value = get(i.c);
    return is_unset(out.value) ? misuse(out.value) : stop(Next::kRmw);
  });
}

PORF_STEP(kCas) {
  return access(i, pc, [&] {
    out.value = get(i.d);
    if (is_unset(out.value) || is_unset(get(i.c))) return misuse(is_unset(out.value) ? out.value : get(i.c));
    return stop(Next::kCas, Bug::kNone, get(i.c));
  });
}

PORF_STEP(kLock) {
  return access(i, pc, [&] {
    out.order = kAcq;
    return stop(Next::kLock);
  });
}

PORF_STEP(kUnlock) {
  return access(i, pc, [&] {
    out.order = kRel;
    return stop(Next::kUnlock);
  });
}

PORF_STEP(kTrylock) {
  return access(i, pc, [&] {
    out.order = kAcq;
    return stop(Next::kTry);
  });
}

PORF_STEP(kBarrier) {
  return access(i, pc, [&] { return stop(Next::kBarrier); });
}

}  // namespace porf::explore
