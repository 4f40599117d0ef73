#include "explore/walks.hpp"

#include <algorithm>

namespace porf::explore {

using relations::Axiom;
using relations::Instruction;

Walks::Walks(const relations::Program& file) : file_(file), needed_(file.code.size(), 0) {
  find_growth();
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(file.axioms.size()); ++k) {
    const Axiom& axiom = file.axioms[k];
    if (axiom.flagged) continue;
    if (axiom.negated) usable_ = false;
    if (!usable_) return;
    if (saved(axiom.reg)) {
      // Of a set, or of a relation that leads from the newest event to no other.
      usable_ = known_[axiom.reg] && (file.code[axiom.reg].kind == 1 || forward_[axiom.reg]);
      if (usable_) need(axiom.reg);
      fixed_axioms_.push_back(k);
    } else {
      usable_ = translate(axiom);
    }
  }
  // What is soon looked through comes first.
  std::stable_sort(automata_.begin(), automata_.end(),
                   [](const WalkAutomaton& a, const WalkAutomaton& b) { return a.letters.size() < b.letters.size(); });
  for (std::int32_t reg = 0; reg < static_cast<std::int32_t>(file.code.size()); ++reg)
    if (needed_[reg]) columns_.push_back(reg);
}

// Which registers the newest event leaves as they were, but for a column of its own.
void Walks::find_growth() {
  known_.assign(file_.code.size(), 0);
  forward_.assign(file_.code.size(), 0);
  for (std::size_t reg = 0; reg < file_.code.size(); ++reg) {
    const Instruction& i = file_.code[reg];
    if (file_.dynamic[reg]) continue;
    auto known = [&](std::int32_t r) { return known_[r] != 0; };
    auto forward = [&](std::int32_t r) { return forward_[r] != 0; };
    switch (i.op) {
      case relations::kBaseRel:
        known_[reg] = 1;
        forward_[reg] = i.a != relations::kLoc && i.a != relations::kInt && i.a != relations::kExt;
        break;
      case relations::kBaseSetOf:
      case relations::kUniverse:
        known_[reg] = 1;
        break;
      case relations::kEmpty:
        known_[reg] = forward_[reg] = 1;
        break;
      case relations::kUnion:
        known_[reg] = known(i.a) && known(i.b);
        forward_[reg] = forward(i.a) && forward(i.b);
        break;
      case relations::kIntersection:
        known_[reg] = known(i.a) && known(i.b);
        forward_[reg] = forward(i.a) || forward(i.b);
        break;
      case relations::kDifference:
        known_[reg] = known(i.a) && known(i.b);
        forward_[reg] = forward(i.a);
        break;
      case relations::kComplement:
        known_[reg] = known(i.a);
        break;
      case relations::kRange:
        known_[reg] = known(i.a) && forward(i.a);
        break;
      case relations::kProduct:
        known_[reg] = known(i.a) && known(i.b);
        break;
      case relations::kIdentity:
        known_[reg] = forward_[reg] = known(i.a);
        break;
      case relations::kCompose:
        known_[reg] = forward_[reg] = known(i.a) && known(i.b) && forward(i.a) && forward(i.b);
        break;
      case relations::kPlus:
      case relations::kStar:
      case relations::kOptional:
        known_[reg] = forward_[reg] = known(i.a) && forward(i.a);
        break;
      default:
        break;
    }
  }
}

void Walks::need(std::int32_t reg) {
  std::vector<std::int32_t> waiting{reg};
  while (!waiting.empty()) {
    reg = waiting.back();
    waiting.pop_back();
    if (needed_[reg]) continue;
    needed_[reg] = 1;
    const Instruction& i = file_.code[reg];
    switch (i.op) {
      case relations::kUnion:
      case relations::kIntersection:
      case relations::kDifference:
      case relations::kCompose:
      case relations::kProduct:
        waiting.push_back(i.b);
        [[fallthrough]];
      case relations::kComplement:
      case relations::kPlus:
      case relations::kStar:
      case relations::kOptional:
      case relations::kIdentity:
      case relations::kRange:
        waiting.push_back(i.a);
        break;
      default:
        break;
    }
  }
}

bool Walks::translate(const Axiom& axiom) {
  WalkAutomaton automaton;
  Part whole;
  bool repeats = axiom.check == relations::kAcyclic;
  if (axiom.check != relations::kIsEmpty) {
    // Cycles of a closure are those of the relation.
    std::int32_t reg = axiom.reg;
    for (; file_.code[reg].op == relations::kPlus; reg = file_.code[reg].a) repeats = true;
    if (!part(reg, automaton, whole, 0)) return false;
  } else {
    // `empty a & b` says that no walk of b comes back by a.
    const Instruction& i = file_.code[axiom.reg];
    if (i.op != relations::kIntersection || saved(i.a) == saved(i.b)) return false;
    const std::int32_t back = saved(i.a) ? i.a : i.b;
    Part there;
    if (!known_[back] || !forward_[back] || !part(back == i.a ? i.b : i.a, automaton, there, 0)) return false;
    need(back);
    whole = sequence(automaton, there, letter(automaton, {Letter::kSaved, true, back, -1}));
  }
  if (whole.nullable || automaton.letters.size() > kMostLetters) return false;
  automaton.repeats = repeats;
  automaton.is_first.assign(automaton.letters.size(), 0);
  automaton.is_last.assign(automaton.letters.size(), 0);
  for (std::int32_t p : whole.first) automaton.is_first[p] = 1;
  for (std::int32_t p : whole.last) automaton.is_last[p] = 1;
  automaton.first = whole.first;
  for (auto& next : automaton.follow) {
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
  }
  automata_.push_back(std::move(automaton));
  return true;
}

// The letters of a register's expression, and how they follow each other (Glushkov's construction). Registers are
// shared, occurrences are not: what has more letters than are of use is given up before it is unfolded.
bool Walks::part(std::int32_t reg, WalkAutomaton& automaton, Part& out, int depth) {
  if (automaton.letters.size() > kMostLetters || depth++ > kDeepest) return false;
  const Instruction& i = file_.code[reg];
  if (saved(reg)) {
    if (i.op == relations::kUnion && !(known_[reg] && forward_[reg])) {
      Part a, b;
      if (!part(i.a, automaton, a, depth) || !part(i.b, automaton, b, depth)) return false;
      out = std::move(a);
      out.first.insert(out.first.end(), b.first.begin(), b.first.end());
      out.last.insert(out.last.end(), b.last.begin(), b.last.end());
      return true;
    }
    if (!known_[reg] || !forward_[reg]) return false;
    need(reg);
    out = letter(automaton, {Letter::kSaved, false, reg, -1});
    return true;
  }
  Part a, b;
  switch (i.op) {
    case relations::kBaseRel:
      out = letter(automaton, {i.a == relations::kMo ? Letter::kMoStep : Letter::kFrStep, false, -1, -1});
      return true;
    case relations::kIntersection: {
      const Instruction &one = file_.code[i.a], &other = file_.code[i.b];
      const bool first = saved(i.a);
      const Instruction &step = first ? other : one, &mask = first ? one : other;
      const bool fits = step.op == relations::kBaseRel && mask.op == relations::kBaseRel &&
                        (mask.a == relations::kInt || mask.a == relations::kExt || mask.a == relations::kLoc);
      if (!fits) return false;
      const auto kind = step.a == relations::kMo ? Letter::kMoStep : Letter::kFrStep;
      out = letter(automaton, {kind, false, -1, mask.a});
      return true;
    }
    case relations::kUnion:
      if (!part(i.a, automaton, a, depth) || !part(i.b, automaton, b, depth)) return false;
      out = std::move(a);
      out.nullable |= b.nullable;
      out.first.insert(out.first.end(), b.first.begin(), b.first.end());
      out.last.insert(out.last.end(), b.last.begin(), b.last.end());
      return true;
    case relations::kCompose:
      if (!part(i.a, automaton, a, depth) || !part(i.b, automaton, b, depth)) return false;
      out = sequence(automaton, a, b);
      return true;
    case relations::kPlus:
    case relations::kStar:
      if (!part(i.a, automaton, out, depth)) return false;
      for (std::int32_t p : out.last)
        automaton.follow[p].insert(automaton.follow[p].end(), out.first.begin(), out.first.end());
      out.nullable |= i.op == relations::kStar;
      return true;
    case relations::kOptional:
      if (!part(i.a, automaton, out, depth)) return false;
      out.nullable = true;
      return true;
    default:
      return false;
  }
}

Walks::Part Walks::letter(WalkAutomaton& automaton, const Letter& l) {
  const auto p = static_cast<std::int32_t>(automaton.letters.size());
  automaton.letters.push_back(l);
  automaton.follow.emplace_back();
  return {false, {p}, {p}};
}

Walks::Part Walks::sequence(WalkAutomaton& automaton, const Part& a, const Part& b) {
  for (std::int32_t p : a.last) automaton.follow[p].insert(automaton.follow[p].end(), b.first.begin(), b.first.end());
  Part out{a.nullable && b.nullable, a.first, b.last};
  if (a.nullable) out.first.insert(out.first.end(), b.first.begin(), b.first.end());
  if (b.nullable) out.last.insert(out.last.end(), a.last.begin(), a.last.end());
  return out;
}

}  // namespace porf::explore
