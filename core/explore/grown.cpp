#include "explore/grown.hpp"

#include <algorithm>

namespace porf::explore {

Grown::Grown(const Walks& walks, bool two_events)
    : walks_(walks), two_events_(two_events), slot_(walks.file().code.size(), -1) {
  if (!walks.usable()) return;
  const auto count = static_cast<std::int32_t>(walks.columns().size());
  for (std::int32_t s = 0; s < count; ++s) slot_[walks.columns()[s]] = s;
  stepped_.assign(static_cast<std::size_t>(count), 0);
  std::size_t letters = 0;
  for (const WalkAutomaton& automaton : walks.automata()) {
    letters = std::max(letters, automaton.letters.size());
    for (const Letter& l : automaton.letters)
      if (l.kind == Letter::kSaved) stepped_[static_cast<std::size_t>(slot(l.reg))] = 1;
  }
  columns_.resize(static_cast<std::size_t>(count) * kNodes);
  rows_.resize(columns_.size());
  members_.resize(static_cast<std::size_t>(count));
  po_.resize(kNodes);
  mo_.resize(kNodes);
  fr_.resize(kNodes);
  saved_.resize(kNodes);
  for (const WalkAutomaton& automaton : walks.automata()) {
    tables_.emplace_back();
    for (const Letter& l : automaton.letters) {
      const Set* rows = l.kind == Letter::kMoStep ? mo_.data() : fr_.data();
      if (l.kind == Letter::kSaved) rows = (l.inverse ? columns_ : rows_).data() + at(slot(l.reg), 0);
      tables_.back().push_back(l.mask < 0 ? rows : nullptr);
    }
  }
  visited_.resize(2 * letters);
  waiting_.resize(2 * letters);
}

void Grown::clear(std::int32_t threads, std::int32_t locations) {
  while (!nodes_.empty()) remove();
  missing_ = 0;
  of_thread_.assign(static_cast<std::size_t>(threads), Set{});
  of_loc_.assign(static_cast<std::size_t>(locations), Set{});
  initials_ = locations;
  if (locations > kNodes / 2) {
    missing_ = 1;  // for good
    return;
  }
  for (std::int32_t x = 0; x < locations; ++x) {
    Node node;
    node.loc = x;
    add(node, Set{});
  }
}

void Grown::push(const Graph& g, std::int32_t e, const Event& event) {
  if (missing_ == 0 && is_hidden(event)) return;
  if (missing_ > 0 || nodes_.size() + 2 > kNodes || event.loc >= initials_) {
    ++missing_;
    return;
  }
  if (static_cast<std::size_t>(e) >= write_node_.size()) {
    read_node_.resize(static_cast<std::size_t>(e) * 2 + 8);
    write_node_.resize(read_node_.size());
  }
  Set before = Set::below(initials_);
  auto follow = [&](std::int32_t earlier) {
    earlier = shown(g, earlier);
    if (earlier < 0) return;
    before.add(po_[write_node_[earlier]]);
    before.set(write_node_[earlier]);
  };
  const bool next = e >= g.size();
  const std::int32_t prev = next ? g.last[event.thread] : g[e].prev;
  follow(prev >= 0 ? prev : g.begun_by[event.thread]);
  g.each_awaited(event, follow);
  Node node;
  node.event = e;
  node.thread = event.thread;
  node.loc = event.loc;
  node.op = std::min<std::uint8_t>(event.op, kFence);
  node.order = order_of(event.op, event.order);
  node.update = event.op == kUpdate;
  if (event.reads()) node.source = event.rf < 0 ? event.loc : write_node_[event.rf];
  each_dependency(g, event, e, [&](DependencyKind kind, std::int32_t read) {
    node.depends[static_cast<std::size_t>(kind)].set(read_node_[read]);
  });
  const bool halves = two_events_ && node.update;
  const Set data = node.depends[kData];
  if (halves) {
    node.op = kRead;
    node.order = relations::half_order(event.order, false);
    node.depends[kData] = {};
  }
  read_node_[e] = write_node_[e] = static_cast<std::int32_t>(nodes_.size());
  add(node, before);
  if (!halves) return;
  before.set(read_node_[e]);
  node.op = kWrite;
  node.order = relations::half_order(event.order, true);
  node.source = -1;
  node.depends[kData] = data;
  write_node_[e] = static_cast<std::int32_t>(nodes_.size());
  add(node, before);
}

void Grown::pop(std::int32_t e) {
  if (missing_ > 0) {
    --missing_;
    return;
  }
  while (!nodes_.empty() && nodes_.back().event == e) remove();
}

void Grown::add(const Node& node, const Set& before) {
  const auto e = static_cast<std::int32_t>(nodes_.size());
  nodes_.push_back(node);
  po_[e] = before;
  mo_[e] = fr_[e] = Set{};
  if (node.thread >= 0) of_thread_[node.thread].set(e);
  if (node.loc >= 0) of_loc_[node.loc].set(e);
  for (std::int32_t s = 0; s < static_cast<std::int32_t>(walks_.columns().size()); ++s) compute(s, e);
}

void Grown::remove() {
  const auto e = static_cast<std::int32_t>(nodes_.size()) - 1;
  const Node& node = nodes_.back();
  if (node.thread >= 0) of_thread_[node.thread].reset(e);
  if (node.loc >= 0) of_loc_[node.loc].reset(e);
  for (std::int32_t s = 0; s < static_cast<std::int32_t>(walks_.columns().size()); ++s)
    if (stepped_[s]) column(s, e).each([&](std::int32_t x) { row(s, x).reset(e); });
  nodes_.pop_back();
}

bool Grown::in_base_set(std::int32_t base, const Node& node) const {
  const bool initial = node.event < 0;
  if (base >= relations::kTagged) return false;  // programs have orders, no tags
  if (base >= relations::kAtLeast) return !initial && relations::order_at_least(node.order, base - relations::kAtLeast);
  if (base >= relations::kExactly) return !initial && node.order == base - relations::kExactly;
  switch (base) {
    case relations::kAll:
      return true;
    case relations::kReads:
      return node.op == kRead || node.op == kUpdate;
    case relations::kWrites:
      return node.op == kWrite || node.op == kUpdate;
    case relations::kFences:
      return node.op == kFence;
    case relations::kUpdates:
      return node.update;
    default:
      return initial;
  }
}

Grown::Set Grown::base_column(std::int32_t base, std::int32_t e) const {
  const Node& node = nodes_[e];
  Set out;
  switch (base) {
    case relations::kId:
      out.set(e);
      break;
    case relations::kPo:
      return po_[e];
    case relations::kRf:
      if (node.source >= 0) out.set(node.source);
      break;
    case relations::kLoc:
      if (node.loc >= 0) return of_loc_[node.loc];
      break;
    case relations::kInt:
    case relations::kExt:
      if (node.thread >= 0)
        out = of_thread_[node.thread];
      else
        out.set(e);
      if (base == relations::kExt) {
        Set all = Set::below(e + 1);
        all.remove(out);
        return all;
      }
      break;
    case relations::kAddr:
      return node.depends[kAddress];
    case relations::kData:
      return node.depends[kData];
    case relations::kCtrl:
      return node.depends[kControl];
    case relations::kRmw:
    case relations::kAmo:
      if (node.update && node.op != kRead) out.set(two_events_ ? e - 1 : e);
      break;
    default:
      break;
  }
  return out;
}

// The column of the newest node, from columns that are computed.
void Grown::compute(std::int32_t s, std::int32_t e) {
  const std::int32_t reg = walks_.columns()[s];
  const relations::Instruction& i = walks_.file().code[reg];
  if (i.kind == 1) {
    auto in = [&](std::int32_t r) { return members_[static_cast<std::size_t>(slot(r))].test(e); };
    bool member = false;
    switch (i.op) {
      case relations::kBaseSetOf:
        member = in_base_set(i.a, nodes_[e]);
        break;
      case relations::kUniverse:
        member = true;
        break;
      case relations::kUnion:
        member = in(i.a) || in(i.b);
        break;
      case relations::kIntersection:
        member = in(i.a) && in(i.b);
        break;
      case relations::kDifference:
        member = in(i.a) && !in(i.b);
        break;
      case relations::kComplement:
        member = !in(i.a);
        break;
      case relations::kRange:
        member = column(slot(i.a), e).any();
        break;
      default:
        break;
    }
    Set& members = members_[s];
    member ? members.set(e) : members.reset(e);
    return;
  }
  Set c;
  switch (i.op) {
    case relations::kBaseRel:
      c = base_column(i.a, e);
      break;
    case relations::kUniverse:
      c = Set::below(e + 1);
      break;
    case relations::kUnion:
      c = column(slot(i.a), e);
      c.add(column(slot(i.b), e));
      break;
    case relations::kIntersection:
      c = column(slot(i.a), e) & column(slot(i.b), e);
      break;
    case relations::kDifference:
      c = column(slot(i.a), e);
      c.remove(column(slot(i.b), e));
      break;
    case relations::kComplement:
      c = Set::below(e + 1);
      c.remove(column(slot(i.a), e));
      break;
    case relations::kCompose:
      column(slot(i.b), e).each([&](std::int32_t k) { c.add(column(slot(i.a), k)); });
      break;
    case relations::kPlus:
    case relations::kStar:
    case relations::kOptional:
      c = column(slot(i.a), e);
      if (i.op != relations::kOptional) {
        column(slot(i.a), e).each([&](std::int32_t k) {
          if (k != e) c.add(column(s, k));
        });
      }
      if (i.op != relations::kPlus) c.set(e);
      break;
    case relations::kIdentity:
      if (members_[static_cast<std::size_t>(slot(i.a))].test(e)) c.set(e);
      break;
    case relations::kProduct:
      if (members_[static_cast<std::size_t>(slot(i.b))].test(e))
        c = members_[static_cast<std::size_t>(slot(i.a))] & Set::below(e + 1);
      break;
    default:
      break;
  }
  column(s, e) = c;
  if (!stepped_[s]) return;
  row(s, e) = Set{};
  c.each([&](std::int32_t x) { row(s, x).set(e); });
}

}  // namespace porf::explore
