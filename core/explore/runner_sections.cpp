// Sections of mutexes that are divided into parts: what takes which part, and which conflicts show that it is not
// enough. docs/design/exploration.md has the proof that nothing is missed.
#include "explore/runner.hpp"
#include "explore/sections.hpp"

namespace porf::explore {

namespace {

const Clock* clock_after(const Graph& g, std::int32_t thread, std::int32_t after) {
  std::int32_t before = after >= 0 ? after : g.begun_by[thread];
  return before >= 0 ? g.porf(before) : nullptr;
}

// The name of an object in all explorations of the program. Those that threads allocate have other numbers there; two
// that have the same name are taken for one.
std::int64_t object_of(const Runner& runner, std::int32_t loc) {
  std::int64_t number = number_of(runner.memory()[loc].pointer);
  const Extent& object = runner.memory().object(number);
  if (object.layout < 0) return pointer_to(number);
  return mixed(mixed(static_cast<std::int64_t>(runner.name(object.thread)), object.number), object.pc);
}

bool accesses(Next next) {
  return next == Next::kLoad || next == Next::kStore || next == Next::kRmw || next == Next::kCas;
}

}  // namespace

void Runner::show_as_is() const {
  if (sections_ != nullptr) sections_->give_up();
}

void Runner::end_execution() const {
  if (sections_ != nullptr) sections_->end_execution(alike_);
}

std::int64_t Runner::name_of(std::int32_t loc) const {
  std::int64_t offset = offset_of(memory_[loc].pointer);
  return offset == 0 ? object_of(*this, loc) : mixed(object_of(*this, loc), offset);
}

// A mutex that is divided has no events of its own. So it must be free at first, or since a thread made it that has
// done so before this one comes.
bool Runner::is_divided(const Graph& g, std::int32_t thread, std::int32_t after, std::int32_t mutex) {
  std::int64_t name = object_of(*this, mutex);  // where one mutex of an object cannot be divided, others cannot, mostly
  if (!sections_->is_divided(name)) return false;
  const Clock* clock = clock_after(g, thread, after);
  std::int32_t made = g.last_at(mutex);
  for (std::int32_t e = made; e >= 0; e = g[e].at)
    if (g[e].thread != g[made].thread || clock == nullptr || !g.before(e, clock)) sections_->keep_whole(name);
  while (made >= 0 && !g[made].writes()) made = g[made].same;
  bool is_free = value(g, mutex, made >= 0 ? made : kInitial) == 0;
  if (!is_free || !memory_.rivals(mutex).empty() || g.end_of(number_of(memory_[mutex].pointer)) >= 0)
    sections_->keep_whole(name);
  divided_.insert(mutex);
  return true;
}

std::int32_t Runner::part_of(std::int32_t mutex, std::int32_t group) {
  auto [it, is_new] = parts_.try_emplace({mutex, group}, -1);
  if (is_new) {
    it->second = memory_.add_beside(mutex);
    is_part_.resize(static_cast<std::size_t>(it->second) + 1);
    is_part_.back() = 1;
    if (group_of_.try_emplace(mutex, group).first->second != group) sections_->note_unordered();
  }
  return it->second;
}

// What a thread does next, where mutexes are divided. True: it goes on, since that makes no event.
bool Runner::goes_on(const Graph& g, const Machine::Who& who, std::int32_t after, std::int64_t* state, Pending& p) {
  if (p.next == Next::kSpins || p.next == Next::kAwaits || p.next == Next::kCut) sections_->give_up();
  if (state[kSection] == 0) {
    if (p.next != Next::kLock || !is_divided(g, who.thread, after, p.loc)) return false;
    state[kSection] = p.loc + 1;
    state[kEntered] = 1;
    return true;
  }
  if (p.next == Next::kFailed) return false;
  auto mutex = static_cast<std::int32_t>(state[kSection]) - 1;
  std::int64_t name = name_of(mutex);
  if (p.next == Next::kUnlock && p.loc == mutex) {
    p.loc = static_cast<std::int32_t>(state[kGuard]) - 1;
    if (p.loc >= 0) return false;
    state[kSection] = 0;
    sections_->note_unordered();
    return true;
  }
  if (!accesses(p.next)) sections_->keep_whole(object_of(*this, mutex));
  std::int32_t group = sections_->group_of(name, name_of(p.loc));
  if (group == Sections::kNoGroup) return false;
  std::int32_t part = part_of(mutex, group), held = static_cast<std::int32_t>(state[kGuard]) - 1;
  if (part == held) return false;
  if (held >= 0) {
    sections_->join(name, name_of(p.loc), group, group_in(mutex, held));
    return false;
  }
  p = {.next = Next::kLock, .order = kAcq, .width = memory_[part].width, .pc = p.pc, .loc = part};
  return false;
}

std::int32_t Runner::group_in(std::int32_t mutex, std::int32_t part) const {
  for (const auto& [key, loc] : parts_)
    if (key.first == mutex && loc == part) return key.second;
  return Sections::kNoGroup;
}

// A part of a mutex was taken: now for the access that needs it. Or it was given back.
bool Runner::took_part(const Event& v, std::int64_t* state) const {
  bool is_part = v.role != Role::kNone && static_cast<std::size_t>(v.loc) < is_part_.size() &&
                 is_part_[static_cast<std::size_t>(v.loc)];
  if (!is_part) return false;
  state[kGuard] = v.role == Role::kLock ? v.loc + 1 : 0;
  if (v.role == Role::kUnlock) state[kSection] = 0;
  return v.role == Role::kLock;
}

// Whatever conflicts with a new access, atomic or not, must come before it without what the access itself reads.
void Runner::check_order(const Graph& g, std::int32_t e) {
  const Event& v = g[e];
  sections_->go_on_learning();
  if (v.op == kFreeOp)
    for (std::int32_t mutex : divided_)
      if (number_of(memory_[mutex].pointer) == v.other) check_made(g, e, mutex);
  if (v.loc < 0) return;
  const Clock* clock = clock_after(g, v.thread, v.prev);
  auto meets = [&](std::int32_t o) {
    if (v.role != Role::kNone && g[o].role != Role::kNone) return;
    if (!v.writes() && !g[o].writes()) return;
    std::int64_t a = g.state_before(e)[kSection], b = g.state_before(o)[kSection];
    if (a != 0 && a == b) {
      auto mutex = static_cast<std::int32_t>(a) - 1;
      auto group = [&](std::int32_t i) {
        return group_in(mutex, static_cast<std::int32_t>(g.state_before(i)[kGuard]) - 1);
      };
      sections_->join(name_of(mutex), name_of(v.loc), group(e), group(o));
      return;
    }
    for (std::int64_t section : {a, b})
      if (section != 0) sections_->keep_whole(object_of(*this, static_cast<std::int32_t>(section) - 1));
    sections_->give_up();
  };
  g.each_last_of(v.loc, [&](std::int32_t o, std::int32_t t) {
    if (t == v.thread) return;
    for (; o >= 0 && (clock == nullptr || !g.before(o, clock)); o = g[o].same) meets(o);
  });
  if (v.role == Role::kNone && divided_.contains(v.loc)) check_made(g, e, v.loc);
  for (std::int32_t loc : memory_.rivals(v.loc))
    if (divided_.contains(loc)) sections_->keep_whole(object_of(*this, loc));
}

// A thread accesses a divided mutex itself, or frees it: it must not have it, and whoever has been in a section must
// have ended before.
void Runner::check_made(const Graph& g, std::int32_t e, std::int32_t mutex) {
  const Clock* clock = clock_after(g, g[e].thread, g[e].prev);
  bool is_over = g.state_before(e)[kSection] != mutex + 1;
  for (std::int32_t t = 0; t < g.stride && is_over; ++t) {
    if (!g.exists[t] || t == g[e].thread || g.state(t)[kEntered] == 0) continue;
    is_over = g.pending(t).next == Next::kEnded && g.last[t] >= 0 && clock != nullptr && g.before(g.last[t], clock);
  }
  if (!is_over) sections_->keep_whole(object_of(*this, mutex));
}

}  // namespace porf::explore
