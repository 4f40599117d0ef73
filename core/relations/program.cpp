// What a program may contain, what depends on mo, and what each axiom needs; see program.hpp.
#include "relations/program.hpp"

#include <algorithm>
#include <stdexcept>

#include "relations/base.hpp"

namespace porf::relations {

namespace {

constexpr const char* kKinds[] = {
#define OPCODE(constant, name, kinds) kinds,
#include "relations/opcodes.def"
#undef OPCODE
};

int operands(std::int32_t op) { return (kKinds[op][0] != '-') + (kKinds[op][1] != '-'); }

bool fits(char kind, std::int32_t found, std::int32_t result) {
  return kind == '-' || found == (kind == 'k' ? result : static_cast<std::int32_t>(kind == 's'));
}

}  // namespace

Program::Program(std::vector<Instruction> instructions, std::vector<Axiom> checks)
    : code(std::move(instructions)), axioms(std::move(checks)) {
  validate();
  find_dynamic();
  schedule();
}

void Program::validate() const {
  const auto size = static_cast<std::int32_t>(code.size());
  auto kind_of = [&](std::int32_t reg, std::int32_t before) {
    if (reg < 0 || reg >= before) throw std::invalid_argument("relation program: an operand is out of range");
    return code[reg].kind;
  };
  auto require = [](bool holds) {
    if (!holds) throw std::invalid_argument("relation program: an operand has the wrong kind");
  };
  for (std::int32_t at = 0; at < size; ++at) {
    const Instruction& i = code[at];
    require(i.op >= 0 && i.op < kOpcodes && (i.kind == 0 || i.kind == 1) && i.c >= 0 && i.c <= size);
    const char* kinds = kKinds[i.op];
    const int arity = operands(i.op);
    require(fits(kinds[0], arity >= 1 ? kind_of(i.a, at) : 0, i.kind) &&
            fits(kinds[1], arity >= 2 ? kind_of(i.b, at) : 0, i.kind) && fits(kinds[2], i.kind, i.kind));
    require(i.op != kBaseRel || (i.a >= 0 && i.a < kBaseRelations));
    require(i.op != kBaseSetOf || (i.a >= 0 && i.a < kBaseSets));
    require(i.op != kUpdate || code[i.a].op == kVariable);
    require(i.op != kGather || code[i.b].op == kMember);
    require(i.op != kLoop || (i.a >= 0 && i.a <= at));
  }
  for (const Axiom& axiom : axioms) {
    const std::int32_t kind = kind_of(axiom.reg, size);
    require(axiom.check == kIsEmpty || (kind == 0 && axiom.check >= 0 && axiom.check < kIsEmpty));
  }
}

std::vector<std::pair<std::int32_t, std::int32_t>> Program::blocks() const {
  std::vector<std::pair<std::int32_t, std::int32_t>> out;
  for (std::int32_t at = 0; at < static_cast<std::int32_t>(code.size()); ++at) {
    if (code[at].op == kGather) out.emplace_back(code[at].b, at);
    if (code[at].op != kLoop) continue;
    std::int32_t first = code[at].a;
    while (first > 0 && code[first - 1].op == kVariable && code[first - 1].c == code[at].c) --first;
    out.emplace_back(first, at);
  }
  return out;
}

void Program::find_dynamic() {
  dynamic.assign(code.size(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    auto mark = [&](std::int32_t at) {
      changed |= dynamic[at] == 0;
      dynamic[at] = 1;
    };
    for (std::size_t at = 0; at < code.size(); ++at) {
      const Instruction& i = code[at];
      const int arity = operands(i.op);
      const bool uses = (i.op == kBaseRel && (i.a == kMo || i.a == kFr)) || (arity >= 1 && dynamic[i.a]) ||
                        (arity >= 2 && dynamic[i.b]);
      if (uses) mark(static_cast<std::int32_t>(at));
    }
    for (auto [first, last] : blocks()) {
      if (std::find(dynamic.begin() + first, dynamic.begin() + last, 1) == dynamic.begin() + last) continue;
      for (std::int32_t at = first; at <= last; ++at) mark(at);
    }
  }
}

std::vector<char> Program::needed_by(std::int32_t reg) const {
  std::vector<char> needed(code.size(), 0);
  needed[reg] = 1;
  const auto recursions = blocks();
  for (bool changed = true; changed;) {
    changed = false;
    auto mark = [&](std::int32_t at) {
      changed |= needed[at] == 0;
      needed[at] = 1;
    };
    for (auto at = static_cast<std::int32_t>(code.size()); at-- > 0;) {
      if (!needed[at]) continue;
      const int arity = operands(code[at].op);
      if (arity >= 1) mark(code[at].a);
      if (arity >= 2) mark(code[at].b);
    }
    for (auto [first, last] : recursions) {
      if (std::find(needed.begin() + first, needed.begin() + last + 1, 1) == needed.begin() + last + 1) continue;
      for (std::int32_t at = first; at <= last; ++at) mark(at);
    }
  }
  return needed;
}

void Program::schedule() {
  std::vector<char> done(code.size(), 0);
  for (Axiom& axiom : axioms) {
    axiom.uses_mo = dynamic[axiom.reg] != 0;
    const std::vector<char> needed = needed_by(axiom.reg);
    std::vector<std::int32_t> fixed, moving;
    for (std::int32_t at = 0; at < static_cast<std::int32_t>(code.size()); ++at) {
      if (!needed[at] || done[at]) continue;
      (dynamic[at] ? moving : fixed).push_back(at);
      done[at] = 1;
    }
    static_schedule.push_back(std::move(fixed));
    dynamic_schedule.push_back(std::move(moving));
  }
}

}  // namespace porf::relations
