// Running relation programs; see engine.hpp.
#include "relations/engine.hpp"

#include <algorithm>
#include <numeric>

namespace porf::relations {

Engine::Engine(const Program& program, const Events& events)
    : program_(program), events_(events), shape_(events.shape()), changed_(program.code.size() + 1, 0) {
  renew();
}

void Engine::renew() {
  shape_ = events_.shape();
  offset_.clear();
  std::size_t at = 0;
  for (const Instruction& i : program_.code) {
    offset_.push_back(at);
    at += i.kind == 1 ? shape_.words : shape_.size();
  }
  registers_.resize(at);
  mo_.resize(shape_.size());
  rf_.resize(shape_.size());
  read_from_.resize(shape_.size());
  scratch_.resize(shape_.words);
  full_.assign(shape_.words, 0);
  for (std::size_t i = 0; i < shape_.events; ++i) set(full_.data(), i);
  events_.relation(kRf, rf_.data());
  invert(shape_, rf_.data(), read_from_.data());
  reset_order();
  complete_ = false;
}

void Engine::from_read(Word* out) {
  compose(shape_, read_from_.data(), mo_.data(), out, [this] { pulse(); });
  for (std::size_t i = 0; i < shape_.events; ++i) out[i * shape_.words + i / 64] &= ~(Word{1} << (i % 64));
}

void Engine::run(const std::vector<std::int32_t>& instructions) {
  for (std::size_t next = 0; next < instructions.size(); ++next) {
    const std::int32_t at = instructions[next];
    const Instruction& i = program_.code[at];
    if (i.op == kVariable) {
      changed_[i.c] = 0;
      shrinks_ = 0;
    }
    // Blocks are scheduled whole, so the distance in the schedule is the distance in the code.
    if (i.op == kGather) {
      if (gather(at)) next -= static_cast<std::size_t>(at - i.b);
      continue;
    }
    if (i.op != kLoop) {
      execute(at);
      continue;
    }
    if (!changed_[i.c]) continue;
    changed_[i.c] = 0;
    next -= static_cast<std::size_t>(at - i.a) + 1;
  }
}

bool Engine::gather(std::int32_t at) {
  const Instruction& i = program_.code[at];
  spend(shape_.events * shape_.size());
  const std::size_t none = shape_.events, current = next_bit(reg(i.b), shape_.words, 0, none);
  const Word* all = reg(program_.code[i.b].a);
  const std::size_t size = size_of(at);
  // The first event starts the union anew; where there is none, the body ran for nothing.
  if (current == next_bit(all, shape_.words, 0, none)) std::fill_n(reg(at), size, Word{0});
  if (current == none) return false;
  or_row(reg(at), reg(i.a), size);
  const std::size_t next = next_bit(all, shape_.words, current + 1, none);
  if (next == none) return false;
  std::fill_n(reg(i.b), shape_.words, Word{0});
  set(reg(i.b), next);
  return true;
}

void Engine::focus(std::int32_t gather, std::size_t event) {
  const std::int32_t member = program_.code[gather].b;
  std::fill_n(reg(member), shape_.words, Word{0});
  set(reg(member), event);
  std::vector<std::int32_t> body(static_cast<std::size_t>(gather - member - 1));
  std::iota(body.begin(), body.end(), member + 1);
  run(body);
}

void Engine::execute_pointwise(const Instruction& i, Word* out, std::size_t size) {
  const Word* a = reg(i.a);
  if (i.op == kComplement) {
    for (std::size_t w = 0; w < size; ++w) out[w] = full_[w % shape_.words] & ~a[w];
    return;
  }
  const Word* b = reg(i.b);
  if (i.op == kUnion) {
    for (std::size_t w = 0; w < size; ++w) out[w] = a[w] | b[w];
  } else if (i.op == kIntersection) {
    for (std::size_t w = 0; w < size; ++w) out[w] = a[w] & b[w];
  } else {
    for (std::size_t w = 0; w < size; ++w) out[w] = a[w] & ~b[w];
  }
}

void Engine::execute(std::int32_t at) {
  const Instruction& i = program_.code[at];
  const std::size_t size = size_of(at);
  Word* out = reg(at);
  switch (i.op) {
    case kBaseRel:
      if (i.a == kMo) {
        std::copy(mo_.begin(), mo_.end(), out);
      } else if (i.a == kFr) {
        from_read(out);
      } else {
        events_.relation(i.a, out);
      }
      break;
    case kBaseSetOf:
      events_.set(i.a, out);
      break;
    case kEmpty:
    case kVariable:
      std::fill_n(out, size, Word{0});
      break;
    case kUniverse:
      for (std::size_t w = 0; w < size; ++w) out[w] = full_[w % shape_.words];
      break;
    case kUnion:
    case kIntersection:
    case kDifference:
    case kComplement:
      execute_pointwise(i, out, size);
      break;
    case kCompose:
      compose(shape_, reg(i.a), reg(i.b), out, [this] { pulse(); });
      break;
    case kInverse:
      invert(shape_, reg(i.a), out);
      break;
    case kPlus:
    case kStar:
      std::copy_n(reg(i.a), size, out);
      close_transitively(shape_, out, [this] { pulse(); });
      if (i.op == kStar) add_identity(shape_, out);
      break;
    case kOptional:
      std::copy_n(reg(i.a), size, out);
      add_identity(shape_, out);
      break;
    case kIdentity:
      std::fill_n(out, size, Word{0});
      for_each_bit(reg(i.a), shape_.words, [&](std::size_t e) { set(out + e * shape_.words, e); });
      break;
    case kProduct:
      std::fill_n(out, size, Word{0});
      for_each_bit(reg(i.a), shape_.words,
                   [&](std::size_t e) { std::copy_n(reg(i.b), shape_.words, out + e * shape_.words); });
      break;
    case kDomain:
      std::fill_n(out, size, Word{0});
      for (std::size_t e = 0; e < shape_.events; ++e) {
        if (!is_empty(reg(i.a) + e * shape_.words, shape_.words)) set(out, e);
      }
      break;
    case kRange:
      std::fill_n(out, size, Word{0});
      for (std::size_t e = 0; e < shape_.events; ++e) or_row(out, reg(i.a) + e * shape_.words, shape_.words);
      break;
    case kMember: {
      std::fill_n(out, size, Word{0});
      const std::size_t first = next_bit(reg(i.a), shape_.words, 0, shape_.events);
      if (first < shape_.events) set(out, first);
      break;
    }
    case kUpdate: {
      const std::size_t length = size_of(i.a);
      if (std::equal(reg(i.b), reg(i.b) + length, reg(i.a))) break;
      // A monotone recursion only grows; one that keeps losing pairs may never settle.
      for (std::size_t w = 0; w < length; ++w) {
        if ((reg(i.a)[w] & ~reg(i.b)[w]) == 0) continue;
        if (++shrinks_ > 64 + shape_.events) throw Unsettled{at};
        break;
      }
      std::copy_n(reg(i.b), length, reg(i.a));
      changed_[i.c] = 1;
      break;
    }
    default:
      break;
  }
}

void Engine::run_static() {
  for (const auto& instructions : program_.static_schedule) run(instructions);
}

bool Engine::broken(std::int32_t index) {
  const Axiom& axiom = program_.axioms[index];
  bool holds = true;
  switch (axiom.check) {
    case kAcyclic:
      holds = is_acyclic(shape_, reg(axiom.reg), scratch_.data(), [this] { pulse(); });
      break;
    case kIrreflexive:
      holds = is_irreflexive(shape_, reg(axiom.reg));
      break;
    default:
      holds = is_empty(reg(axiom.reg), size_of(axiom.reg));
      break;
  }
  return holds == axiom.negated;
}

std::int32_t Engine::first_broken(bool partial) {
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(program_.axioms.size()); ++k) {
    const Axiom& axiom = program_.axioms[k];
    run(program_.dynamic_schedule[k]);
    if (axiom.flagged || !axiom.uses_mo || (partial && (axiom.negated || !axiom.monotone))) continue;
    if (broken(k)) return k;
  }
  return -1;
}

void Engine::run_all() {
  if (!complete_) {
    std::vector<std::int32_t> fixed;
    dynamic_.clear();
    for (std::int32_t at = 0; at < static_cast<std::int32_t>(program_.code.size()); ++at) {
      (program_.dynamic[at] ? dynamic_ : fixed).push_back(at);
    }
    run(fixed);
    complete_ = true;
  }
  run(dynamic_);
}

}  // namespace porf::relations
