// A model's axioms on candidate executions; see axioms.hpp.
#include "candidates/axioms.hpp"

namespace porf::candidates {
namespace {

using relations::Instruction;

struct Parts {
  bool po = false, rf = false, mo = false, fr = false;
};

const Instruction& at(const relations::Program& program, std::int32_t reg) {
  return program.code[static_cast<std::size_t>(reg)];
}

bool is_base(const relations::Program& program, std::int32_t reg, std::int32_t base) {
  return at(program, reg).op == relations::kBaseRel && at(program, reg).a == base;
}

// Whether a register is a base relation, or its part between threads.
bool is_external(const relations::Program& program, std::int32_t reg, std::int32_t base) {
  const Instruction& i = at(program, reg);
  if (i.op != relations::kIntersection) return is_base(program, reg, base);
  return (is_base(program, i.a, base) && is_base(program, i.b, relations::kExt)) ||
         (is_base(program, i.b, base) && is_base(program, i.a, relations::kExt));
}

// Whether a register holds at least fr;mo between threads.
bool is_between(const relations::Program& program, std::int32_t reg) {
  const Instruction& i = at(program, reg);
  return i.op == relations::kCompose && is_external(program, i.a, relations::kFr) &&
         is_external(program, i.b, relations::kMo);
}

// The relations that a register holds at least: the leaves of its unions.
void find_parts(const relations::Program& program, std::int32_t reg, Parts& parts) {
  const Instruction& i = at(program, reg);
  const auto is = [&](std::int32_t r, std::int32_t base) { return is_base(program, r, base); };
  if (i.op == relations::kUnion) {
    find_parts(program, i.a, parts);
    find_parts(program, i.b, parts);
  } else if (i.op == relations::kPlus || i.op == relations::kStar || i.op == relations::kOptional) {
    find_parts(program, i.a, parts);
  } else if (i.op == relations::kIntersection) {
    parts.po |=
        (is(i.a, relations::kPo) && is(i.b, relations::kLoc)) || (is(i.b, relations::kPo) && is(i.a, relations::kLoc));
  } else {
    parts.po |= is(reg, relations::kPo);
    parts.rf |= is(reg, relations::kRf);
    parts.mo |= is(reg, relations::kMo);
    parts.fr |= is(reg, relations::kFr);
  }
}

}  // namespace

bool keeps_coherent(const relations::Program& program) {
  for (const relations::Axiom& axiom : program.axioms) {
    if (axiom.check != relations::kAcyclic || axiom.negated || axiom.flagged) continue;
    Parts parts;
    find_parts(program, axiom.reg, parts);
    if (parts.po && parts.rf && parts.mo && parts.fr) return true;
  }
  return false;
}

bool keeps_atomic(const relations::Program& program) {
  for (const relations::Axiom& axiom : program.axioms) {
    const Instruction& i = at(program, axiom.reg);
    if (axiom.check != relations::kIsEmpty || axiom.negated || axiom.flagged || i.op != relations::kIntersection)
      continue;
    if ((is_base(program, i.a, relations::kRmw) && is_between(program, i.b)) ||
        (is_base(program, i.b, relations::kRmw) && is_between(program, i.a)))
      return true;
  }
  return false;
}

bool Axioms::begin(const Execution& execution) {
  events_.assign(execution, settings_.two_events, {});
  if (engine_) {
    engine_->renew();
  } else {
    engine_.emplace(*settings_.file, events_);
    engine_->watch(&budget_);
  }
  engine_->run_static();
  const auto& axioms = settings_.file->axioms;
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(axioms.size()); ++k) {
    const relations::Axiom& axiom = axioms[static_cast<std::size_t>(k)];
    if (!axiom.flagged && !axiom.uses_mo && engine_->broken(k)) return false;
  }
  return true;
}

void Axioms::order(const std::vector<std::int32_t>& writes) {
  const std::size_t words = engine_->shape().words;
  relations::Word* mo = engine_->mo();
  std::int32_t next = -1;
  for (std::size_t n = writes.size(); n-- > 0;) {
    const std::int32_t node = events_.write_node(writes[n]);
    relations::Word* row = mo + static_cast<std::size_t>(node) * words;
    std::fill_n(row, words, relations::Word{0});
    if (next >= 0) {
      relations::or_row(row, mo + static_cast<std::size_t>(next) * words, words);
      relations::set(row, static_cast<std::size_t>(next));
    }
    next = node;
  }
}

bool Axioms::hold() { return engine_->first_broken(false) < 0; }

void Axioms::count(std::vector<std::uint64_t>& flags) {
  const auto& axioms = settings_.file->axioms;
  flags.resize(axioms.size(), 0);
  for (std::size_t k = 0; k < axioms.size(); ++k)
    flags[k] += axioms[k].flagged && !engine_->broken(static_cast<std::int32_t>(k));
}

}  // namespace porf::candidates
