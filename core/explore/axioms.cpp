#include "explore/axioms.hpp"

#include <algorithm>

#include "explore/run.hpp"

namespace porf::explore {

void Axioms::clear(std::int32_t level) {
  if (static_cast<std::size_t>(level) >= levels_.size()) levels_.resize(static_cast<std::size_t>(level) + 1);
  for (auto& line : levels_[level]) line.clear();
}

bool Axioms::rebuild(const Graph& g, std::int32_t level, std::int32_t fresh) {
  clear(level);
  Witness& witness = fit(level);
  for (std::int32_t e : g.arrival) insert(g, witness, e);
  if (fresh == 0) return true;
  evaluation_.load(g);
  return evaluation_.consistent(witness, g.arrival.back());
}

void Axioms::push(const Graph& g, std::int32_t level, std::int32_t e) {
  Witness& witness = fit(level);
  insert(g, witness, e);
  if (!suspect_ || g[e].reads()) return;
  evaluation_.load(g);
  refused_ += !evaluation_.consistent(witness, e);
}

bool Axioms::try_push(const Graph& g, std::int32_t level, std::int32_t e) {
  Witness& witness = fit(level);
  insert(g, witness, e);
  evaluation_.load(g);
  if (evaluation_.consistent(witness, e)) return true;
  pop(g, level, e);
  return false;
}

void Axioms::pop(const Graph& g, std::int32_t level, std::int32_t e) {
  if (g[e].loc < 0) return;
  std::erase(fit(level)[static_cast<std::size_t>(g[e].loc)], e);
}

void Axioms::sources(const Graph& g, std::int32_t level, std::int32_t t, std::int32_t loc,
                     std::vector<Source>& out) {
  evaluation_.load_next(g, t, loc);
  if (std::optional<Source> source = offer(g, level, t, kInitial)) out.push_back(*source);
  for (std::int32_t w = g.last_at(loc); w >= 0; w = g[w].at) {
    if (!g[w].writes()) continue;
    if (std::optional<Source> source = offer(g, level, t, w)) out.push_back(*source);
  }
}

std::optional<Source> Axioms::source(const Graph& g, std::int32_t level, std::int32_t t, std::int32_t loc,
                                     std::int32_t w) {
  evaluation_.load_next(g, t, loc);
  return offer(g, level, t, w);
}

std::optional<Source> Axioms::offer(const Graph& g, std::int32_t level, std::int32_t t, std::int32_t w) {
  Witness& witness = fit(level);
  const Pending& p = g.pending(t);
  const std::int32_t e = g.size();
  std::int64_t value = runner_.value(g, p.loc, w), written = 0;
  if (p.next == Next::kLock && value != 0) return std::nullopt;
  const bool writes = Machine::modify(p, value, written);
  if (writes) {
    auto& line = witness[static_cast<std::size_t>(p.loc)];
    evaluation_.change(kUpdate, p.order, w);
    insert_update(line, e, w);
    const bool free = evaluation_.consistent(witness, e);
    std::erase(line, e);
    if (free) return Source{w, true};
  }
  evaluation_.change(kRead, p.next == Next::kCas && !writes ? p.failure : p.order, w);
  return evaluation_.consistent(witness, e) ? std::optional(Source{w, false}) : std::nullopt;
}

Canonical Axioms::settled(const Graph& g, std::int32_t, const Cut& cut, std::int32_t d) const {
  const Event& v = g[d];
  if (v.rf == kInitial && !v.conflict) return Canonical::kYes;
  const bool there = v.rf != cut.a && (v.rf < d || g.before(v.rf, cut.prefix));
  return v.rf == kInitial || there ? Canonical::kUnknown : Canonical::kNo;
}

std::uint64_t Axioms::orders(const Graph& g, std::int32_t level, std::vector<WriteOrder>* all) {
  std::uint64_t count = 0;
  evaluation_.load(g);
  evaluation_.orders(fit(level), [&](const Witness& witness) {
    ++count;
    if (all == nullptr) return;
    all->emplace_back();
    for (const auto& line : witness) all->back().insert(all->back().end(), line.begin(), line.end());
  });
  return count;
}

Witness& Axioms::fit(std::int32_t level) {
  Witness& witness = levels_[static_cast<std::size_t>(level)];
  const auto locations = static_cast<std::size_t>(runner_.memory().size());
  if (witness.size() < locations) witness.resize(locations);
  return witness;
}

void Axioms::insert(const Graph& g, Witness& witness, std::int32_t e) {
  if (!g[e].writes()) return;
  auto& line = witness[static_cast<std::size_t>(g[e].loc)];
  if (g[e].op == kUpdate)
    insert_update(line, e, g[e].rf);
  else
    line.push_back(e);
}

void Axioms::insert_update(std::vector<std::int32_t>& line, std::int32_t e, std::int32_t source) {
  auto after = source < 0 ? line.begin() : std::find(line.begin(), line.end(), source);
  if (source >= 0 && after != line.end()) ++after;
  line.insert(after, e);
}

Result explore_file(const Program& program, const Settings& settings, const std::vector<Task>& tasks,
                    const Poll& poll, const Sizes& sizes) {
  return run<Axioms>(program, settings, tasks, poll, sizes);
}

}  // namespace porf::explore
