#include "explore/roles.hpp"

#include <algorithm>
#include <span>
#include <tuple>

namespace porf::explore {

namespace {

bool tells_apart(Opcode opcode) {
  return opcode == Opcode::kSelf || opcode == Opcode::kSpawn || opcode == Opcode::kJoin || opcode == Opcode::kBarrier;
}

std::span<const Instruction> code_of(const Program& program, std::int32_t code) {
  auto t = static_cast<std::size_t>(code);
  auto begin = static_cast<std::size_t>(program.templates[t].entry);
  bool last = t + 1 == program.templates.size();
  std::size_t end = last ? program.code.size() : static_cast<std::size_t>(program.templates[t + 1].entry);
  return std::span(program.code).subspan(begin, end - begin);
}

// The fields of an instruction, with its target counted from the beginning of its template.
auto fields_of(const Instruction& i, std::int32_t entry) {
  char target = facts(i.opcode).target[0];
  return std::tuple(i.opcode, i.kind, i.width, i.is_signed, i.order, i.failure, i.weak, i.aligned,
                    target == 'a' ? i.a - entry : i.a, i.b, target == 'c' ? i.c - entry : i.c, i.d, i.e);
}

bool same_code(const Program& program, std::int32_t a, std::int32_t b) {
  const Template &t = program.templates[a], &u = program.templates[b];
  auto same_loop = [](const Loop& l, const Loop& m) { return l.live == m.live && l.saved == m.saved; };
  auto same = [&](const Instruction& i, const Instruction& j) {
    return fields_of(i, t.entry) == fields_of(j, u.entry);
  };
  std::span<const Instruction> mine = code_of(program, a), others = code_of(program, b);
  return t.registers == u.registers && t.private_slots == u.private_slots && t.parameters == u.parameters &&
         t.pool == u.pool && t.argument_lists == u.argument_lists &&
         std::equal(t.loops.begin(), t.loops.end(), u.loops.begin(), u.loops.end(), same_loop) &&
         std::equal(mine.begin(), mine.end(), others.begin(), others.end(), same);
}

// Template -> itself, or -1 if it or what it calls tells threads apart.
std::vector<std::int32_t> unaware(const Program& program) {
  auto count = static_cast<std::int32_t>(program.templates.size());
  std::vector<std::vector<std::int32_t>> called(program.templates.size());
  std::vector<std::int32_t> pointed;  // what a call through a pointer may run
  for (const Object& object : program.objects)
    if (object.code >= 0) pointed.push_back(object.code);
  std::vector<std::int32_t> found;
  for (std::int32_t t = 0; t < count; ++t) {
    bool apart = false;
    for (const Instruction& i : code_of(program, t)) {
      apart |= tells_apart(i.opcode);
      if (i.opcode != Opcode::kCall) continue;
      if (static_cast<Callee>(i.kind) == Callee::kTemplate)
        called[t].push_back(i.c);
      else
        called[t].insert(called[t].end(), pointed.begin(), pointed.end());
    }
    found.push_back(apart ? -1 : t);
  }
  auto apart = [&](std::int32_t code) { return found[code] < 0; };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::int32_t t = 0; t < count; ++t) {
      if (found[t] < 0 || std::none_of(called[t].begin(), called[t].end(), apart)) continue;
      found[t] = -1;
      changed = true;
    }
  }
  return found;
}

}  // namespace

std::optional<Roles> roles_of(const Program& program) {
  if (program.starts.size() < 2 && !program.has(Opcode::kSpawn)) return std::nullopt;
  Roles roles{unaware(program), {}};
  if (std::all_of(roles.code.begin(), roles.code.end(), [](std::int32_t code) { return code < 0; }))
    return std::nullopt;
  roles.pc.resize(program.code.size());
  for (std::int32_t t = 0; t < static_cast<std::int32_t>(program.templates.size()); ++t) {
    for (std::int32_t u = 0; u < t && roles.code[t] == t; ++u)
      if (roles.code[u] == u && same_code(program, t, u)) roles.code[t] = u;
    std::int32_t entry = program.templates[t].entry, same = roles.code[t] < 0 ? t : roles.code[t];
    for (std::int32_t n = 0; n < static_cast<std::int32_t>(code_of(program, t).size()); ++n)
      roles.pc[entry + n] = program.templates[same].entry + n;
  }
  return roles;
}

}  // namespace porf::explore
