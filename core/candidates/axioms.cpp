// A model's axioms on candidate executions; see axioms.hpp.
#include "candidates/axioms.hpp"

namespace porf::candidates {
namespace {

using relations::Instruction;

struct Parts {
  bool po = false, apart = false, rf = false, mo = false, fr = false;
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

// Whether a register is program order, but for pairs that begin with an initial write; or, apart, for the halves of
// updates.
bool is_order(const relations::Program& program, std::int32_t reg, bool& apart) {
  const Instruction& i = at(program, reg);
  if (i.op != relations::kDifference) return is_base(program, reg, relations::kPo);
  const Instruction& without = at(program, i.b);
  apart |= is_base(program, i.b, relations::kAmo);
  return is_order(program, i.a, apart) &&
         (is_base(program, i.b, relations::kAmo) ||
          (without.op == relations::kProduct && at(program, without.a).op == relations::kBaseSetOf &&
           at(program, without.a).a == relations::kInitialWrites));
}

// The relations that a register holds at least: the leaves of its unions.
void find_parts(const relations::Program& program, std::int32_t reg, Parts& parts) {
  const Instruction& i = at(program, reg);
  const auto is = [&](std::int32_t r, std::int32_t base) { return is_base(program, r, base); };
  const auto order = [&](std::int32_t r) {
    bool apart = false;
    if (!is_order(program, r, apart)) return;
    parts.po |= !apart;
    parts.apart = true;
  };
  if (i.op == relations::kUnion) {
    find_parts(program, i.a, parts);
    find_parts(program, i.b, parts);
  } else if (i.op == relations::kPlus || i.op == relations::kStar || i.op == relations::kOptional) {
    find_parts(program, i.a, parts);
  } else if (i.op == relations::kIntersection) {
    if (is(i.b, relations::kLoc)) order(i.a);
    if (is(i.a, relations::kLoc)) order(i.b);
  } else {
    order(reg);
    parts.rf |= is(reg, relations::kRf);
    parts.mo |= is(reg, relations::kMo);
    parts.fr |= is(reg, relations::kFr);
  }
}

// Whether the halves of updates are among the leaves of a register's unions.
bool is_amo_in(const relations::Program& program, std::int32_t reg) {
  const Instruction& i = at(program, reg);
  if (i.op == relations::kUnion) return is_amo_in(program, i.a) || is_amo_in(program, i.b);
  return is_base(program, reg, relations::kAmo) || is_base(program, reg, relations::kRmw);
}

}  // namespace

Coherence coherence(const relations::Program& program) {
  Coherence found = Coherence::kNone;
  for (const relations::Axiom& axiom : program.axioms) {
    if (axiom.check != relations::kAcyclic || axiom.negated || axiom.flagged) continue;
    Parts parts;
    find_parts(program, axiom.reg, parts);
    if (!(parts.apart && parts.rf && parts.mo && parts.fr)) continue;
    if (parts.po || is_amo_in(program, axiom.reg)) return Coherence::kWhole;
    found = Coherence::kOfInstructions;
  }
  return found;
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
