#include "explore/linear.hpp"

#include <algorithm>
#include <bit>

namespace porf::explore {

namespace {

constexpr std::int32_t kReadsFrom[] = {relations::kRf};

bool has(const std::vector<std::int32_t>& set, std::int32_t x) {
  return std::find(set.begin(), set.end(), x) != set.end();
}

// Whether an event is in a set that every execution has.
bool in_base_set(std::int32_t base, const EventClass& event) {
  if (base >= relations::kTagged) return false;  // programs have orders, no tags
  if (base >= relations::kAtLeast) return relations::order_at_least(event.order, base - relations::kAtLeast);
  if (base >= relations::kExactly) return event.order == base - relations::kExactly;
  switch (base) {
    case relations::kAll:
      return true;
    case relations::kReads:
      return event.op == kRead || event.op == kUpdate;
    case relations::kWrites:
      return event.op == kWrite || event.op == kUpdate;
    case relations::kFences:
      return event.op == kFence;
    case relations::kUpdates:
      return event.update;
    default:
      return false;
  }
}

bool within(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
  return std::all_of(a.begin(), a.end(), [&](std::int32_t x) { return has(b, x); });
}

}  // namespace

// Letters are numbered as in the automaton; `moves` are those by the modification order, alike ones together.
struct Linear::Shape {
  const WalkAutomaton& automaton;
  std::vector<std::vector<std::int32_t>> follow, before;
  std::vector<std::vector<std::int32_t>> moves;

  explicit Shape(const WalkAutomaton& a) : automaton(a), follow(a.follow), before(a.letters.size()) {
    for (std::int32_t p = 0; p < size(); ++p)
      for (std::int32_t q : a.follow[p]) before[q].push_back(p);
  }

  std::int32_t size() const { return static_cast<std::int32_t>(automaton.letters.size()); }
  const Letter& letter(std::int32_t p) const { return automaton.letters[p]; }
  bool dynamic(std::int32_t p) const { return letter(p).kind != Letter::kSaved; }
  bool whole(std::int32_t p, Letter::Kind kind) const { return letter(p).kind == kind && letter(p).mask < 0; }
  bool first(std::int32_t p) const { return automaton.is_first[p] != 0; }
  bool last(std::int32_t p) const { return automaton.is_last[p] != 0; }

  // Walks that go on after q go on after p, too.
  bool goes_on(std::int32_t q, std::int32_t p) const {
    return within(automaton.follow[q], automaton.follow[p]) && (!last(q) || last(p));
  }
  // And what comes before p comes before q.
  bool comes_from(std::int32_t p, std::int32_t q) const {
    return within(before[p], before[q]) && (!first(p) || first(q));
  }

  // mo; mo, mo; fr, fr; mo and fr; fr are in their first step, rf; mo is in mo, and so is rf; fr. So what passes
  // through both has a shorter walk beside it, and the way from one to the other is closed.
  template <typename IsReadsFrom>
  void reduce(const IsReadsFrom& reads_from) {
    auto redundant = [&](std::int32_t p, std::int32_t q) {
      if (!dynamic(q)) return false;
      if (dynamic(p)) return letter(p).mask < 0 && letter(q).mask < 0 && goes_on(q, p);
      if (!reads_from(letter(p))) return false;
      for (std::int32_t m = 0; m < size(); ++m)
        if (whole(m, Letter::kMoStep) && letter(q).mask < 0 && comes_from(p, m) && goes_on(q, m)) return true;
      return false;
    };
    for (std::int32_t p = 0; p < size(); ++p) std::erase_if(follow[p], [&](std::int32_t q) { return redundant(p, q); });
    for (auto& line : before) line.clear();
    for (std::int32_t p = 0; p < size(); ++p)
      for (std::int32_t q : follow[p]) before[q].push_back(p);
  }

  // Positions that are reached from some, without steps by the modification order; false if there is one.
  bool reach(std::vector<std::int32_t> from, const std::vector<std::vector<std::int32_t>>& next,
             std::vector<char>& seen) const {
    seen.assign(static_cast<std::size_t>(size()), 0);
    while (!from.empty()) {
      const std::int32_t p = from.back();
      from.pop_back();
      if (dynamic(p)) return false;
      if (seen[p]) continue;
      seen[p] = 1;
      from.insert(from.end(), next[p].begin(), next[p].end());
    }
    return true;
  }

  // Whether no walk has two steps by the modification order.
  bool linear() {
    std::vector<char> seen;
    for (std::int32_t p = 0; p < size(); ++p) {
      if (!dynamic(p)) continue;
      if (!reach(follow[p], follow, seen)) return false;
      auto alike = [&](const std::vector<std::int32_t>& group) {
        const std::int32_t q = group.front();
        return follow[p] == follow[q] && before[p] == before[q] && first(p) == first(q) && last(p) == last(q) &&
               std::none_of(group.begin(), group.end(), [&](std::int32_t g) {
                 return letter(g).kind == letter(p).kind && letter(g).mask != letter(p).mask;
               });
      };
      auto group = std::find_if(moves.begin(), moves.end(), alike);
      if (group != moves.end())
        group->push_back(p);
      else
        moves.push_back({p});
    }
    return true;
  }

  OrderStep step(const std::vector<std::int32_t>& group) const {
    OrderStep out;
    for (std::int32_t p : group) {
      const bool mo = letter(p).kind == Letter::kMoStep;
      const std::int32_t mask = letter(p).mask == relations::kLoc ? -1 : letter(p).mask;
      (mo ? out.mo : out.fr) = true;
      (mo ? out.mo_mask : out.fr_mask) = mask;
    }
    return out;
  }

  // `fr; mo` of a whole update, or from its read and back to that from its write.
  bool is_atomicity(bool two_events, const Walks& walks) const {
    std::int32_t fr = -1, mo = -1, back = -1;
    for (std::int32_t p = 0; p < size(); ++p)
      (whole(p, Letter::kFrStep) ? fr : whole(p, Letter::kMoStep) ? mo : back) = p;
    if (fr < 0 || mo < 0 || automaton.repeats) return false;
    using Line = std::vector<std::int32_t>;
    if (automaton.first != Line{fr} || automaton.follow[fr] != Line{mo}) return false;
    if (!two_events) return size() == 2 && last(mo) && !last(fr) && automaton.follow[mo].empty();
    if (size() != 3 || back < 0 || !letter(back).inverse) return false;
    const relations::Instruction& i = walks.file().code[letter(back).reg];
    return i.op == relations::kBaseRel && i.a == relations::kRmw && automaton.follow[mo] == Line{back} && last(back) &&
           !last(mo) && !last(fr) && automaton.follow[back].empty();
  }
};

Linear::Linear(const Walks& walks, bool two_events) : walks_(walks), two_events_(two_events) {
  if (!walks.usable()) return;
  const relations::Program& file = walks.file();
  slot_.assign(file.code.size(), -1);
  for (std::int32_t reg : walks.columns()) {
    const relations::Instruction& i = file.code[reg];
    if (i.op == relations::kRange) return;  // of what the initial writes lead to, of which nothing is kept
    slot_[reg] = static_cast<std::int32_t>(columns_.size());
    const bool leaf = i.op == relations::kBaseRel || i.op == relations::kBaseSetOf;
    auto operand = [&](std::int32_t r) { return leaf || r < 0 ? r : slot_[r]; };
    ColumnStep step{i.op, operand(i.a), operand(i.b), i.kind == 1, false};
    if (i.op == relations::kBaseRel)
      uses_dependencies_ |= i.a == relations::kAddr || i.a == relations::kData || i.a == relations::kCtrl;
    if (i.op == relations::kBaseSetOf) updates_differ_ |= i.a == relations::kUpdates;
    if (i.op == relations::kCompose)
      step.filter = columns_[step.a].op == relations::kIdentity || columns_[step.b].op == relations::kIdentity;
    columns_.push_back(step);
    stays_.push_back(find_stays(step));
  }
  updates_differ_ |= !two_events;
  for (std::uint8_t op = kRead; op <= kFence; ++op)
    for (std::uint8_t order = kNa; order <= kSc; ++order)
      for (bool update : {false, true}) {
        const EventClass event{op, order, update};
        code_[event.number()] = specialise(event);
      }
  for (const WalkAutomaton& automaton : walks.automata())
    if (!compile(automaton)) return;
  usable_ = orders_updates() && (two_events || atomic_);
}

// Sets are known of a class of events, and so is which relations lead to none of them.
ColumnCode Linear::specialise(const EventClass& event) const {
  ColumnCode out;
  std::vector<char> some(columns_.size(), 0);  // a set: it is a member; a relation: its column may have some event
  for (std::size_t s = 0; s < columns_.size(); ++s) {
    const ColumnStep& i = columns_[s];
    auto a = [&] { return some[i.a] != 0; };
    auto b = [&] { return some[i.b] != 0; };
    switch (i.op) {
      case relations::kBaseSetOf:
        some[s] = in_base_set(i.a, event);
        break;
      case relations::kBaseRel:
        some[s] = i.a == relations::kRf                              ? event.op == kRead || event.op == kUpdate
                  : i.a == relations::kLoc                           ? event.op != kFence
                  : i.a == relations::kRmw || i.a == relations::kAmo ? event.update && event.op != kRead
                                                                     : i.a != relations::kLxsx;
        break;
      case relations::kEmpty:
        break;
      case relations::kUnion:
        some[s] = a() || b();
        break;
      case relations::kIntersection:
      case relations::kCompose:
        some[s] = i.op == relations::kCompose && columns_[i.a].op == relations::kIdentity ? b() : a() && b();
        if (i.op == relations::kCompose && columns_[i.b].op != relations::kIdentity) some[s] = b();
        break;
      case relations::kDifference:
        some[s] = a() && !(i.is_set && b());
        break;
      case relations::kComplement:
        some[s] = !i.is_set || !a();
        break;
      case relations::kProduct:
        some[s] = b();
        break;
      case relations::kPlus:
      case relations::kIdentity:
        some[s] = a();
        break;
      default:
        some[s] = 1;
    }
    if (some[s]) (i.is_set ? out.sets : out.steps).push_back(static_cast<std::int32_t>(s));
  }
  return out;
}

bool Linear::compile(const WalkAutomaton& automaton) {
  Shape shape(automaton);
  if (shape.is_atomicity(two_events_, walks_)) return atomic_ = true;
  for (const Letter& l : automaton.letters)
    if (l.inverse) return false;
  if (2 * automaton.letters.size() > kMostLetters) return false;  // a path back may pass each of them twice
  shape.reduce([&](const Letter& l) {
    const relations::Instruction& i = walks_.file().code[l.reg];
    return i.op == relations::kBaseRel && i.a == relations::kRf;
  });
  if (!shape.linear()) return false;
  if (automaton.repeats)
    add_order(shape);
  else
    add_forced(shape);
  return true;
}

// The walk goes on after the step, passes from a last letter to a first one, and comes to where the step begins.
void Linear::add_forced(const Shape& shape) {
  for (const auto& group : shape.moves) {
    const std::int32_t move = group.front(), n = shape.size();
    ForcedBy out{shape.step(group), {}};
    std::vector<char> after, ahead;
    shape.reach(shape.follow[move], shape.follow, after);
    shape.reach(shape.before[move], shape.before, ahead);
    std::vector<std::uint64_t> bit(2 * static_cast<std::size_t>(n), 0);
    auto& positions = out.back.positions;
    for (std::int32_t half = 0; half < 2; ++half)
      for (std::int32_t p = 0; p < n; ++p) {
        if (!(half == 0 ? after : ahead)[p]) continue;
        bit[half * n + p] = std::uint64_t{1} << positions.size();
        positions.push_back({slot_[shape.letter(p).reg], false, false, 0});
      }
    std::size_t next = 0;
    for (std::int32_t p = 0; p < n; ++p) {
      if (!after[p]) continue;
      auto& position = positions[next++];
      position.starts = has(shape.follow[move], p);
      if (shape.last(p) && shape.first(move)) out.back.last |= bit[p];
      for (std::int32_t q : shape.before[p]) position.before |= bit[q];
    }
    for (std::int32_t p = 0; p < n; ++p) {
      if (!ahead[p]) continue;
      auto& position = positions[next++];
      position.starts = shape.first(p) && shape.last(move);
      if (has(shape.follow[p], move)) out.back.last |= bit[n + p];
      for (std::int32_t q : shape.before[p]) position.before |= bit[n + q];
      for (std::int32_t q = 0; q < n; ++q)
        if (shape.first(p) && shape.last(q)) position.before |= bit[q];
    }
    out.back.empty = shape.first(move) && shape.last(move);
    finish(out.back);
    forced_.push_back(std::move(out));
  }
}

void Linear::add_order(const Shape& shape) {
  OrderAxiom out;
  std::vector<std::uint64_t> bit;
  auto table = [&](const std::vector<char>& which, auto starts) {
    PathTable made;
    bit.assign(static_cast<std::size_t>(shape.size()), 0);
    for (std::int32_t p = 0; p < shape.size(); ++p) {
      if (!which[p]) continue;
      bit[p] = std::uint64_t{1} << made.positions.size();
      made.positions.push_back({slot_[shape.letter(p).reg], starts(p), false, 0});
      if (shape.last(p)) made.last |= bit[p];
    }
    std::size_t next = 0;
    for (std::int32_t p = 0; p < shape.size(); ++p) {
      if (!which[p]) continue;
      for (std::int32_t q : shape.before[p]) made.positions[next].before |= bit[q];
      ++next;
    }
    finish(made);
    return made;
  };
  for (const auto& group : shape.moves) {
    const std::int32_t move = group.front();
    std::vector<char> after;
    shape.reach(shape.follow[move], shape.follow, after);
    OrderAxiom::Term term;
    term.step = shape.step(group);
    term.begins = shape.first(move);
    term.rest = table(after, [&](std::int32_t p) { return has(shape.follow[move], p); });
    term.rest.empty = shape.last(move);
    out.terms.push_back(std::move(term));
  }
  std::vector<char> saved(static_cast<std::size_t>(shape.size()));
  for (std::int32_t p = 0; p < shape.size(); ++p) saved[p] = !shape.dynamic(p);
  out.paths = table(saved, [&](std::int32_t p) { return shape.first(p); });
  auto whole = [](const OrderAxiom::Term& t) {
    return t.direct && t.step.mo && t.step.fr && t.step.mo_mask < 0 && t.step.fr_mask < 0;
  };
  for (std::size_t t = 0; t < out.terms.size(); ++t) {
    OrderAxiom::Term& term = out.terms[t];
    for (std::int32_t p : shape.before[shape.moves[t].front()]) term.before |= bit[p];
    term.direct = term.begins && term.before == 0 && term.rest.empty && term.rest.positions.empty();
    atomic_ |= !two_events_ && whole(term);
  }
  bool local = out.terms.size() == 1 && whole(out.terms.front()), reads = false;
  const std::uint64_t every = out.paths.last;
  for (const auto& p : out.paths.positions) {
    local &= p.starts && p.before == 0 && stays(p.slot);
    reads |= covers(p.slot, Word(kReadsFrom));
  }
  local &= std::popcount(every) == static_cast<int>(out.paths.positions.size());
  if (!local || !reads) {
    orders_.push_back(std::move(out));
    return;
  }
  // At one location, a cycle has a shortcut with one step by the order: paths may not lead back in that.
  ForcedBy forced{out.terms.front().step, std::move(out.paths)};
  for (auto& p : forced.back.positions) p.before = every;
  forced.back.empty = true;
  finish(forced.back);
  forced_.push_back(std::move(forced));
}

// Which steps come after others that stay at a location.
void Linear::finish(PathTable& table) const {
  auto& positions = table.positions;
  std::uint64_t moving = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t p = 0; p < positions.size(); ++p) {
      const bool moves = !stays(positions[p].slot) || (positions[p].before & moving) != 0;
      if (!moves || moving >> p & 1) continue;
      moving |= std::uint64_t{1} << p;
      changed = true;
    }
  }
  for (auto& p : positions) p.local = (p.before & moving) == 0;
}

// Whether a relation has all pairs of a path of base relations.
bool Linear::covers(std::int32_t slot, Word path) {
  const std::vector<std::int32_t> key(path.begin(), path.end());
  auto known = covers_.find(key);
  if (known == covers_.end()) known = covers_.emplace(key, covering(path)).first;
  return known->second[slot] != 0;
}

// Of every slot, after those that it is made of: slots are shared, and may be nested deeply.
std::vector<char> Linear::covering(Word path) {
  std::vector<char> out(columns_.size(), 0);
  auto has_all = [&](std::int32_t slot, Word part) {
    return part.size() == path.size() ? out[slot] != 0 : covers(slot, part);
  };
  for (std::size_t s = 0; s < columns_.size(); ++s) {
    const ColumnStep& i = columns_[s];
    const auto slot = static_cast<std::int32_t>(s);
    switch (i.op) {
      case relations::kBaseRel:
        out[s] = path.size() == 1 && i.a == path.front();
        break;
      case relations::kUnion:
        out[s] = has_all(i.a, path) || has_all(i.b, path);
        break;
      case relations::kCompose:
        for (std::size_t n = 0; n <= path.size(); ++n)
          if (has_all(i.a, path.first(n)) && has_all(i.b, path.subspan(n))) out[s] = 1;
        break;
      case relations::kPlus:
      case relations::kStar:
      case relations::kOptional:
        out[s] = (path.empty() && i.op != relations::kPlus) || has_all(i.a, path);
        for (std::size_t n = 1; n < path.size() && i.op != relations::kOptional; ++n)
          if (has_all(i.a, path.first(n)) && has_all(slot, path.subspan(n))) out[s] = 1;
        break;
      default:
        break;
    }
  }
  return out;
}

// Whether a relation leads from an access to none of another location.
bool Linear::find_stays(const ColumnStep& i) const {
  auto stays = [&](std::int32_t slot) { return stays_[slot] != 0; };
  switch (i.op) {
    case relations::kBaseRel:
      return i.a == relations::kId || i.a == relations::kRf || i.a == relations::kLoc || i.a == relations::kRmw ||
             i.a == relations::kAmo;
    case relations::kIdentity:
    case relations::kEmpty:
      return true;
    case relations::kUnion:
    case relations::kCompose:
      return stays(i.a) && stays(i.b);
    case relations::kIntersection:
      return stays(i.a) || stays(i.b);
    case relations::kDifference:
    case relations::kPlus:
    case relations::kStar:
    case relations::kOptional:
      return stays(i.a);
    default:
      return false;
  }
}

// Whether some walk has all pairs of a path of base relations: after so many steps of that it is at some positions.
bool Linear::leads(const PathTable& table, Word path) {
  const std::size_t n = table.positions.size();
  std::vector<std::vector<char>> at(path.size() + 1, std::vector<char>(n, 0));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t from = 0; from <= path.size(); ++from)
      for (std::size_t to = from; to <= path.size(); ++to)
        for (std::size_t p = 0; p < n; ++p) {
          const auto& position = table.positions[p];
          bool comes = from == 0 && position.starts;
          for (std::size_t q = 0; q < n; ++q) comes |= position.before >> q & 1 && at[from][q];
          if (at[to][p] || !comes || !covers(position.slot, path.subspan(from, to - from))) continue;
          at[to][p] = changed = true;
        }
  }
  for (std::size_t p = 0; p < n; ++p)
    if (at[path.size()][p] && table.last >> p & 1) return true;
  return false;
}

// Whether the file puts an update after its source, as everything here takes for granted.
bool Linear::orders_updates() {
  std::vector<std::int32_t> way{relations::kRf};
  if (two_events_) way.push_back(relations::kPo);
  for (const ForcedBy& f : forced_)
    if (f.step.mo && f.step.mo_mask < 0 && leads(f.back, way)) return true;
  for (const OrderAxiom& axiom : orders_) {
    const bool direct = std::any_of(axiom.terms.begin(), axiom.terms.end(),
                                    [](const auto& t) { return t.direct && t.step.mo && t.step.mo_mask < 0; });
    bool all = direct;
    for (std::int32_t base : way) all &= leads(axiom.paths, Word(&base, 1));
    if (all) return true;
  }
  return false;
}

}  // namespace porf::explore
