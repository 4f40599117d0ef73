#include "explore/courses.hpp"

#include <array>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "explore/arithmetic.hpp"
#include "explore/unset.hpp"

namespace porf::explore {

namespace {

constexpr int kDeepest = 8;  // calls within calls
constexpr std::int64_t kSmall = 1 << 30;

std::int32_t field(const Instruction& i, char letter) {
  switch (letter) {
    case 'a':
      return i.a;
    case 'b':
      return i.b;
    case 'c':
      return i.c;
    case 'd':
      return i.d;
    default:
      return i.e;
  }
}

// What arithmetic gives; nothing if it may not be a plain number.
std::optional<std::int64_t> result(const Instruction& i, std::int64_t b, std::int64_t c) {
  std::int64_t value = 0;
  if (i.opcode == Opcode::kUnary) {
    if (!unary(static_cast<Unary>(i.kind), b, value)) return std::nullopt;
    return wrap(value, i.width, i.is_signed);
  }
  if (!binary(static_cast<Binary>(i.kind), b, c, value)) return std::nullopt;
  std::int64_t wrapped = wrap(value, i.width, i.is_signed);
  if (i.opcode != Opcode::kChecked) return wrapped;
  bool small = b < kSmall && c < kSmall && b > -kSmall && c > -kSmall;
  return small && wrapped == value ? std::optional(value) : std::nullopt;
}

}  // namespace

// Where both threads are, and what they may have that differs.
struct Courses::Step {
  const Template& code;
  std::int32_t pc;
  Different different;
  std::array<std::int32_t, 2> next{-1, -1};

  bool differs(std::int32_t operand) const { return operand >= 0 && different.contains(operand); }
  Value value(std::int32_t operand) const {
    if (operand < 0) return {true, code.pool[~operand], code.pool[~operand]};
    auto found = different.find(operand);
    return found == different.end() ? Value{} : found->second;
  }
  void set(std::int32_t reg, Value value) {
    if (value.pair && value.mine == value.others)
      different.erase(reg);
    else
      different[reg] = value;
  }
};

bool Courses::same(std::int32_t code, const Arguments& mine, const Arguments& others) {
  if (mine == others) return true;
  if (mine.size() != others.size()) return false;
  auto [place, is_new] = known_.try_emplace({code, mine, others}, false);
  if (!is_new) return place->second;
  Different parameters;
  for (std::size_t n = 0; n < mine.size(); ++n) {
    if (mine[n] == others[n]) continue;
    if (UnsetValues::may_be(mine[n]) || UnsetValues::may_be(others[n])) return false;
    parameters[static_cast<std::int32_t>(n)] = {true, mine[n], others[n]};
  }
  return place->second = follow(code, parameters, 0);
}

// Along all ways through the code on which the threads stay together, until nothing new is found.
bool Courses::follow(std::int32_t code, const Different& parameters, int depth) {
  const Template& t = program_.templates[static_cast<std::size_t>(code)];
  std::map<std::int32_t, Different> before{{t.entry, parameters}};
  std::set<std::int32_t> todo{t.entry};
  while (!todo.empty()) {
    std::int32_t pc = *todo.begin();
    todo.erase(todo.begin());
    Step at{t, pc, before[pc]};
    if (!step(program_.code[static_cast<std::size_t>(pc)], at, depth)) return false;
    for (std::int32_t next : at.next) {
      if (next < 0) continue;
      auto [place, is_new] = before.try_emplace(next, at.different);
      bool changed = is_new;
      // What differs on one way only, or in another way, can be anything where ways meet.
      auto meet = [&](std::int32_t reg, const Value& value) {
        auto [known, fresh] = place->second.try_emplace(reg, Value{});
        changed |= fresh || (known->second != value && known->second.pair);
        if (known->second != value) known->second = {};
      };
      if (!is_new) {
        Different there = place->second;
        for (const auto& [reg, value] : at.different) meet(reg, value);
        for (const auto& [reg, value] : there)
          if (!at.different.contains(reg)) meet(reg, Value{});
      }
      if (changed) todo.insert(next);
    }
  }
  return true;
}

bool Courses::step(const Instruction& i, Step& at, int depth) {
  const Facts& known = facts(i.opcode);
  auto differs = [&](char letter) { return at.differs(field(i, letter)); };
  bool touched = false;
  for (char letter : std::string_view(known.reads)) touched |= differs(letter);
  if (known.list[0] != 0 && i.opcode != Opcode::kPrint)
    for (std::int32_t operand : at.code.argument_lists[static_cast<std::size_t>(field(i, known.list[0]))])
      touched |= at.differs(operand);
  std::int32_t target = known.target[0] != 0 ? field(i, known.target[0]) : -1;
  if (known.onward == Onward::kNext || known.onward == Onward::kBranch) at.next[0] = at.pc + 1;
  if (known.onward == Onward::kJump || known.onward == Onward::kBranch) at.next[1] = target;
  if (i.opcode == Opcode::kBack)
    for (std::int32_t reg : at.code.loops[static_cast<std::size_t>(i.a)].live)
      if (at.differs(reg) && !at.value(reg).pair) return false;
  if (!touched) {
    for (char letter : std::string_view(known.sets)) at.different.erase(field(i, letter));
    return true;
  }
  std::string_view reads = known.reads;
  Value b = at.value(i.b), c = reads.find('c') != reads.npos ? at.value(i.c) : Value{true, 0, 0};
  switch (i.opcode) {
    case Opcode::kMove:
      at.set(i.a, b);
      return true;
    case Opcode::kBinary:
    case Opcode::kChecked:
    case Opcode::kUnary: {
      std::optional<std::int64_t> mine, others;
      if (b.pair && c.pair) mine = result(i, b.mine, c.mine), others = result(i, b.others, c.others);
      bool both = mine && others;
      if (!both && i.opcode != Opcode::kUnary) {
        // It may fail in one of the threads.
        bool divides = sort_of(static_cast<Binary>(i.kind)) == Sort::kDivision;
        if (i.opcode == Opcode::kChecked || divides) return false;
      }
      at.set(i.a, both ? Value{true, *mine, *others} : Value{});
      return true;
    }
    case Opcode::kSelect:
      if (!differs('b')) {
        Value d = at.value(i.d);
        at.set(i.a, c == d && differs('c') && differs('d') ? c : Value{});
      } else {
        if (!b.pair || (b.mine != 0) != (b.others != 0)) return false;
        std::int32_t chosen = b.mine != 0 ? i.c : i.d;
        if (at.differs(chosen))
          at.set(i.a, at.value(chosen));
        else
          at.different.erase(i.a);
      }
      return true;
    case Opcode::kJumpIf:
    case Opcode::kJumpUnless:
      if (!b.pair || (b.mine != 0) != (b.others != 0)) return false;
      at.next[(b.mine != 0) == (i.opcode == Opcode::kJumpIf) ? 0 : 1] = -1;
      return true;
    case Opcode::kCall:
      return call(i, at, depth);
    default:
      return false;
  }
}

// What is called must do the same, and return the same.
bool Courses::call(const Instruction& i, Step& at, int depth) {
  if (static_cast<Callee>(i.kind) != Callee::kTemplate || depth == kDeepest) return false;
  const Template& callee = program_.templates[static_cast<std::size_t>(i.c)];
  Different parameters;
  const std::vector<std::int32_t>& operands = at.code.argument_lists[static_cast<std::size_t>(i.d)];
  for (std::int32_t n = 0; n < callee.parameters && n < static_cast<std::int32_t>(operands.size()); ++n)
    if (at.differs(operands[n])) parameters[n] = at.value(operands[n]);
  if (!follow(i.c, parameters, depth + 1)) return false;
  at.different.erase(i.a);
  return true;
}

}  // namespace porf::explore
