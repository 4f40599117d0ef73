#include "explore/dependencies.hpp"

#include <algorithm>
#include <iterator>

#include "explore/frame.hpp"
#include "explore/machine.hpp"

namespace porf::explore {

namespace {

// What concerns the thread as a whole stands beside slots of the header.
constexpr std::int64_t kBranches = kBase;  // what its branches depended on
constexpr std::int64_t kPicked = kTop;     // what the addresses of its accesses were selected by
constexpr std::int64_t kParts = kPartial;  // what an access of several places has read so far

bool is_access(Opcode opcode) {
  return opcode == Opcode::kLoad || opcode == Opcode::kStore || opcode == Opcode::kRmw || opcode == Opcode::kCas;
}

}  // namespace

Dependencies::Dependencies() : sets_(1), of_(1) {
  numbers_[{}] = 0;
  of_numbers_[{}] = 0;
}

std::int64_t* Dependencies::slots(std::int64_t* state) { return state + state[kShadow]; }

Dependencies::Origin Dependencies::at(std::int64_t* state, std::int64_t slot) {
  const auto word = static_cast<std::uint64_t>(slots(state)[slot]);
  return {static_cast<Set>(word & 0xffffffffu), static_cast<Set>(word >> 32)};
}

void Dependencies::put(std::int64_t* state, std::int64_t slot, Origin origin) {
  slots(state)[slot] = static_cast<std::int64_t>(static_cast<std::uint64_t>(origin.picks) << 32 |
                                                 static_cast<std::uint32_t>(origin.values));
}

Dependencies::Origin Dependencies::get(std::int64_t* state, std::int32_t operand) {
  return operand >= 0 ? at(state, state[kBase] + operand) : Origin{};
}

void Dependencies::set(std::int64_t* state, std::int32_t reg, Origin origin) { put(state, state[kBase] + reg, origin); }

void Dependencies::clear(std::int64_t* state, std::int64_t from, std::int64_t to) {
  std::fill(slots(state) + from, slots(state) + to, 0);
}

Dependencies::Set Dependencies::number(std::vector<std::int32_t> members) {
  auto [place, fresh] = numbers_.try_emplace(members, static_cast<Set>(sets_.size()));
  if (fresh) sets_.push_back(std::move(members));
  return place->second;
}

Dependencies::Set Dependencies::single(std::int32_t index) {
  const auto place = static_cast<std::size_t>(index);
  if (place >= singles_.size()) singles_.resize(place + 1, -1);
  if (singles_[place] < 0) singles_[place] = number({index});
  return singles_[place];
}

Dependencies::Set Dependencies::unite(Set a, Set b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  if (a > b) std::swap(a, b);
  auto [place, fresh] = unions_.try_emplace(static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint64_t>(b), 0);
  if (fresh) {
    std::vector<std::int32_t> both;
    std::set_union(members(a).begin(), members(a).end(), members(b).begin(), members(b).end(),
                   std::back_inserter(both));
    place->second = number(std::move(both));
  }
  return place->second;
}

void Dependencies::branch(std::int64_t* state, Origin on) {
  put(state, kBranches, {unite(at(state, kBranches).values, whole(on)), 0});
}

void Dependencies::pass(const Machine& machine, const Program& program, const Instruction& i, std::int64_t* state) {
  switch (i.opcode) {
    case Opcode::kMove:
    case Opcode::kUnary:
    case Opcode::kAllocate:
      return set(state, i.a, get(state, i.b));
    case Opcode::kBinary:
    case Opcode::kChecked:
    case Opcode::kWithin:
      return set(state, i.a, unite(get(state, i.b), get(state, i.c)));
    case Opcode::kSelect: {
      const Origin chosen = get(state, machine.operand(state, i.b) != 0 ? i.c : i.d);
      return set(state, i.a, {chosen.values, unite(chosen.picks, whole(get(state, i.b)))});
    }
    case Opcode::kJumpIf:
    case Opcode::kJumpUnless:
    case Opcode::kAssume:
    case Opcode::kAssert:
      return branch(state, get(state, i.b));
    case Opcode::kUnset:
    case Opcode::kSelf:
      return set(state, i.a, {});
    case Opcode::kAddress:
    case Opcode::kLife: {
      const auto& code = program.templates[static_cast<std::size_t>(state[kCode])];
      const std::int64_t slot = state[kBase] + code.registers + i.c;
      const bool frame = i.opcode == Opcode::kLife || static_cast<Home>(i.kind) == Home::kFrame;
      if (frame && (i.opcode == Opcode::kLife || state[slot] == 0)) clear(state, slot, slot + slots_of(i.d));
      if (i.opcode == Opcode::kAddress) set(state, i.a, {});
      return;
    }
    case Opcode::kCall: {
      const std::int32_t called = machine.callee(i, state);
      if (static_cast<Callee>(i.kind) == Callee::kPointer) branch(state, get(state, i.b));
      if (called < 0) return;
      const Template& t = program.templates[static_cast<std::size_t>(called)];
      const std::int64_t base = state[kTop] + kLinks, top = base + t.registers + t.private_slots;
      if (top > state[kShadow]) return;  // there is no room for the call
      clear(state, state[kTop], top);
      std::int64_t at = base;
      for (std::int32_t operand : machine.arguments(i, state)) {
        if (at == base + t.parameters) break;
        put(state, at++, get(state, operand));
      }
      return;
    }
    case Opcode::kReturn:
      if (const std::int64_t* frame = state + state[kBase]; frame[kCaller] != 0)
        put(state, frame[kCaller] + frame[kResult], get(state, i.b));
      return;
    default:
      if (is_access(i.opcode))
        if (const std::int64_t pointer = machine.operand(state, i.b); is_private(pointer))
          access_private(i, state, pointer);
  }
}

void Dependencies::access_private(const Instruction& i, std::int64_t* state, std::int64_t pointer) {
  const std::int64_t first = private_slot(pointer) + 1 + offset_of(pointer) / 8;
  const std::int64_t last = private_slot(pointer) + 1 + (offset_of(pointer) + i.width - 1) / 8;
  if (i.width == 0 || first < kHeader || last >= state[kTop]) return;  // the thread fails
  const Origin address = get(state, i.b);
  Origin old = address;
  for (std::int64_t w = first; w <= last; ++w) old = unite(old, at(state, w));
  Origin fresh;
  switch (i.opcode) {
    case Opcode::kLoad:
      return set(state, i.a, old);
    case Opcode::kStore:
      fresh = unite(address, get(state, i.c));
      if (i.width < 8 || first != last) fresh = unite(fresh, old);
      break;
    case Opcode::kRmw:
      fresh = unite(old, get(state, i.c));
      set(state, i.a, old);
      break;
    default: {
      const Origin equal = unite(old, get(state, i.c));
      fresh = unite(equal, get(state, i.d));
      set(state, i.a, old);
      set(state, i.e, equal);
    }
  }
  for (std::int64_t w = first; w <= last; ++w) put(state, w, fresh);
}

std::int32_t Dependencies::of_event(const Instruction& i, std::int64_t* state) {
  Of out;
  out.ctrl = at(state, kBranches).values;
  const bool access = is_access(i.opcode);
  if (access || i.opcode == Opcode::kLock || i.opcode == Opcode::kUnlock || i.opcode == Opcode::kTrylock)
    out.addr = get(state, i.b).values;
  if (i.opcode != Opcode::kLoad) {
    // By what its address or its value was selected, a write depends on control; and later ones do, too, if an address
    // was.
    out.ctrl = unite(out.ctrl, at(state, kPicked).values);
    if (access) {
      const Origin value = i.opcode == Opcode::kCas ? unite(get(state, i.c), get(state, i.d)) : get(state, i.c);
      out.ctrl = unite(out.ctrl, unite(get(state, i.b).picks, value.picks));
      out.data = value.values;
    }
  }
  if (access) put(state, kPicked, {unite(at(state, kPicked).values, get(state, i.b).picks), 0});
  auto [place, fresh] = of_numbers_.try_emplace(out, static_cast<std::int32_t>(of_.size()));
  if (fresh) of_.push_back(out);
  return place->second;
}

void Dependencies::finish(const Instruction& i, std::int64_t* state, std::int32_t index, std::uint8_t width) {
  const Origin self{single(index), 0};
  switch (i.opcode) {
    case Opcode::kLoad: {
      const Origin read = unite(self, at(state, kParts));
      const bool whole = width >= i.width || state[kPart] + width >= i.width;
      put(state, kParts, whole ? Origin{} : read);
      if (whole) set(state, i.a, read);
      break;
    }
    case Opcode::kRmw:
    case Opcode::kTrylock:
      set(state, i.a, self);
      break;
    case Opcode::kCas: {
      const Origin equal{unite(self.values, get(state, i.c).values), get(state, i.c).picks};
      set(state, i.a, self);
      set(state, i.e, equal);
      break;
    }
    case Opcode::kSpawn:
    case Opcode::kJoin:
    case Opcode::kChoose:
    case Opcode::kBarrier:
      set(state, i.a, {});
      break;
    default:
      break;
  }
}

}  // namespace porf::explore
