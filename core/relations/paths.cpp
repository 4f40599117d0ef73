// Shortest explanations; see paths.hpp.
#include "relations/paths.hpp"

#include <algorithm>

namespace porf::relations {

Paths::Paths(Engine& engine)
    : engine_(engine),
      program_(engine.program()),
      n_(engine.shape().events),
      n_words_(engine.shape().words),
      costs_(engine.program().code.size()),
      settled_(engine.program().code.size(), 0),
      cheapest_(engine.program().code.size()) {}

void Paths::evaluate(std::int32_t reg) {
  std::vector<char> wanted = program_.needed_by(reg);
  for (std::size_t at = 0; at < wanted.size(); ++at) wanted[at] &= static_cast<char>(!settled_[at]);
  evaluate_range(0, static_cast<std::int32_t>(program_.code.size()), wanted);
  for (std::size_t at = 0; at < wanted.size(); ++at) settled_[at] |= wanted[at];
}

void Paths::evaluate_range(std::int32_t first, std::int32_t last, const std::vector<char>& wanted) {
  std::vector<char> changed(program_.code.size() + 1, 0);
  for (std::int32_t at = first; at < last; ++at) {
    const Instruction& i = program_.code[at];
    if (!wanted[at]) continue;
    if (i.op == kMember) {
      at = gather_of(at);
      gather(at, wanted);
      continue;
    }
    if (i.kind == 1 && i.op != kLoop) continue;
    if (i.op == kUpdate) {
      if (program_.code[i.a].kind == 0 && update(at)) changed[i.c] = 1;
    } else if (i.op != kLoop) {
      compute(at);
    } else if (changed[i.c]) {
      changed[i.c] = 0;
      at = i.a - 1;
    }
  }
}

std::int32_t Paths::gather_of(std::int32_t member) const {
  std::int32_t at = member;
  while (program_.code[at].op != kGather || program_.code[at].b != member) ++at;
  return at;
}

// The body's costs for one event after the other; each pair remembers the event that makes it cheapest.
void Paths::gather(std::int32_t at, const std::vector<char>& wanted) {
  const Instruction& i = program_.code[at];
  if (i.kind == 1) return;
  costs_[at].assign(n_ * n_, kNever);
  cheapest_[at].assign(n_ * n_, -1);
  for_each_bit(engine_.get(program_.code[i.b].a), n_words_, [&](std::size_t event) {
    engine_.spend(n_ * n_ * n_);
    engine_.focus(at, event);
    evaluate_range(i.b + 1, at, wanted);
    for (std::size_t p = 0; p < n_ * n_; ++p) {
      if (costs_[i.a][p] >= costs_[at][p]) continue;
      costs_[at][p] = costs_[i.a][p];
      cheapest_[at][p] = static_cast<std::int32_t>(event);
    }
  });
}

void Paths::focus(std::int32_t gather, std::int32_t event) {
  engine_.focus(gather, static_cast<std::size_t>(event));
  evaluate_range(program_.code[gather].b + 1, gather, std::vector<char>(program_.code.size(), 1));
}

void Paths::forget_order() {
  for (std::size_t at = 0; at < settled_.size(); ++at) settled_[at] &= static_cast<char>(!program_.dynamic[at]);
}

// A recursion's next round: one unfolding dearer than its body, and only where that is an improvement.
bool Paths::update(std::int32_t at) {
  const Instruction& i = program_.code[at];
  bool better = false;
  for (std::size_t p = 0; p < n_ * n_; ++p) {
    const Cost cost = std::min(kNever, costs_[i.b][p] + 1);
    if (cost >= costs_[i.a][p] || !has(i.a, p / n_, p % n_)) continue;
    costs_[i.a][p] = cost;
    better = true;
  }
  return better;
}

void Paths::compute(std::int32_t at) {
  const Instruction& i = program_.code[at];
  Costs& out = costs_[at];
  out.assign(n_ * n_, kNever);
  switch (i.op) {
    case kVariable:
    case kEmpty:
      return;
    case kUnion:
      for (std::size_t p = 0; p < n_ * n_; ++p) out[p] = std::min(costs_[i.a][p], costs_[i.b][p]);
      break;
    case kIntersection:
      out = costs_[i.c == 0 ? i.a : i.b];
      break;
    case kDifference:
    case kOptional:
      out = costs_[i.a];
      break;
    case kInverse:
      for (std::size_t p = 0; p < n_ * n_; ++p) out[p] = costs_[i.a][p % n_ * n_ + p / n_];
      break;
    case kCompose:
      for (std::size_t from = 0; from < n_; ++from) {
        engine_.pulse();
        for (std::size_t via = 0; via < n_; ++via) {
          const Cost first = costs_[i.a][from * n_ + via];
          if (first == kNever) continue;
          const Cost* second = costs_[i.b].data() + via * n_;
          for (std::size_t to = 0; to < n_; ++to) {
            out[from * n_ + to] = std::min(out[from * n_ + to], first + second[to]);
          }
        }
      }
      break;
    case kPlus:
    case kStar:
      out = costs_[i.a];
      shortest_walks(out);
      break;
    default:  // base relations, products, complements: one edge a pair, none from an event to itself by
              // identity
      for (std::size_t p = 0; p < n_ * n_; ++p) {
        const bool still = i.op == kIdentity ||
                           (i.op == kBaseRel && (i.a == kId || ((i.a == kRmw || i.a == kAmo) && p / n_ == p % n_)));
        if (has(at, p / n_, p % n_)) out[p] = still ? 0 : kEdge;
      }
      return;
  }
  if (i.op == kStar || i.op == kOptional) {
    for (std::size_t e = 0; e < n_; ++e) out[e * n_ + e] = 0;
  }
  mask(at);
}

void Paths::mask(std::int32_t at) {
  for (std::size_t p = 0; p < n_ * n_; ++p) {
    if (costs_[at][p] >= kNever || !has(at, p / n_, p % n_)) costs_[at][p] = kNever;
  }
}

void Paths::shortest_walks(Costs& costs) {
  for (std::size_t via = 0; via < n_; ++via) {
    engine_.pulse();
    for (std::size_t from = 0; from < n_; ++from) {
      const Cost first = costs[from * n_ + via];
      if (first >= kNever) continue;
      for (std::size_t to = 0; to < n_; ++to) {
        costs[from * n_ + to] = std::min(costs[from * n_ + to], first + costs[via * n_ + to]);
      }
    }
  }
}

void Paths::walk(std::int32_t reg, std::size_t from, std::size_t to, bool backwards, std::vector<BaseEdge>& out) {
  const Instruction& i = program_.code[reg];
  const Cost cost = costs_[reg][from * n_ + to];
  switch (i.op) {
    case kVariable:
      // The update that set this cost is the only one whose body costs exactly one unfolding less.
      for (std::int32_t at = reg; at < static_cast<std::int32_t>(program_.code.size()); ++at) {
        if (program_.code[at].op == kUpdate && program_.code[at].a == reg) {
          return walk(program_.code[at].b, from, to, backwards, out);
        }
      }
      return;
    case kUnion:
      return walk(costs_[i.a][from * n_ + to] == cost ? i.a : i.b, from, to, backwards, out);
    case kIntersection:
      return walk(i.c == 0 ? i.a : i.b, from, to, backwards, out);
    case kDifference:
      return walk(i.a, from, to, backwards, out);
    case kOptional:
      if (from != to) walk(i.a, from, to, backwards, out);
      return;
    case kInverse: {
      // Walked against its direction: the same edges, last to first, each the other way round.
      const std::size_t start = out.size();
      walk(i.a, to, from, backwards, out);
      std::reverse(out.begin() + static_cast<std::ptrdiff_t>(start), out.end());
      for (std::size_t k = start; k < out.size(); ++k) {
        std::swap(out[k].source, out[k].target);
        out[k].backwards = !out[k].backwards;
      }
      return;
    }
    case kCompose:
      for (std::size_t via = 0; via < n_; ++via) {
        if (costs_[i.a][from * n_ + via] + costs_[i.b][via * n_ + to] != cost) continue;
        walk(i.a, from, via, backwards, out);
        walk(i.b, via, to, backwards, out);
        return;
      }
      return;
    case kStar:
      if (from == to) return;
      [[fallthrough]];
    case kPlus:
      return walk_closure(costs_[reg], i.a, from, to, backwards, out);
    case kIdentity:
      return;
    case kGather:
      return walk_gathered(reg, from, to, backwards, out);
    default: {
      if (cost == 0) return;
      const std::int32_t relation = i.op == kBaseRel ? i.a : static_cast<std::int32_t>(kBaseRelations);
      out.push_back({static_cast<std::int32_t>(from), relation, static_cast<std::int32_t>(to), backwards});
      return;
    }
  }
}

// Walks inside the body with the costs of the event that makes the pair, and leaves those of the walk outside.
void Paths::walk_gathered(std::int32_t reg, std::size_t from, std::size_t to, bool backwards,
                          std::vector<BaseEdge>& out) {
  const std::int32_t event = cheapest_[reg][from * n_ + to];
  focus(reg, event);
  inside_.emplace_back(reg, event);
  walk(program_.code[reg].a, from, to, backwards, out);
  inside_.pop_back();
  for (auto [gather, other] : inside_) focus(gather, other);
}

void Paths::walk_closure(const Costs& closed, std::int32_t step, std::size_t from, std::size_t to, bool backwards,
                         std::vector<BaseEdge>& out) {
  const Costs& single = costs_[step];
  while (true) {
    const Cost cost = closed[from * n_ + to];
    if (single[from * n_ + to] == cost) return walk(step, from, to, backwards, out);
    std::size_t via = 0;
    // Steps between different events cost at least an edge, so the rest is always cheaper.
    while (via < n_ && (via == from || single[from * n_ + via] + closed[via * n_ + to] != cost)) ++via;
    if (via == n_) return;
    walk(step, from, via, backwards, out);
    from = via;
  }
}

std::vector<BaseEdge> Paths::breaking(std::int32_t index) {
  const Axiom& axiom = program_.axioms[index];
  std::vector<BaseEdge> out;
  if (axiom.negated || program_.code[axiom.reg].kind == 1) return out;
  inside_.clear();  // an earlier walk may have run out of its budget
  evaluate(axiom.reg);
  Costs closed = costs_[axiom.reg];
  if (axiom.check == kAcyclic) shortest_walks(closed);
  std::size_t best = n_ * n_;
  for (std::size_t p = 0; p < n_ * n_; ++p) {
    if (closed[p] >= kNever || (axiom.check != kIsEmpty && p / n_ != p % n_)) continue;
    if (best == n_ * n_ || closed[p] < closed[best]) best = p;
  }
  if (best == n_ * n_) return out;
  const std::size_t from = best / n_, to = best % n_;
  if (axiom.check == kAcyclic) {
    walk_closure(closed, axiom.reg, from, to, false, out);
  } else {
    walk(axiom.reg, from, to, false, out);
  }
  if (out.empty()) out.push_back({static_cast<std::int32_t>(from), kId, static_cast<std::int32_t>(to), false});
  return out;
}

}  // namespace porf::relations
