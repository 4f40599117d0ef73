// The generic decision procedure; see search.hpp.
#include "relations/search.hpp"

#include <algorithm>
#include <utility>

namespace porf::relations {

Search::Search(Engine& engine, Budget& budget) : engine_(engine), budget_(budget), words_(engine.shape().words) {
  const Events& events = engine.events();
  const auto n = static_cast<std::size_t>(events.nodes());
  cost_ = 1 + n * words_ * engine.program().code.size() / 256;
  writes_.resize(static_cast<std::size_t>(events.locations()));
  for (std::int32_t e = 0; e < events.nodes(); ++e) {
    if (events.writes(e)) writes_[static_cast<std::size_t>(events.location(e))].push_back(e);
  }
  for (const auto& writes : writes_) {
    for (std::size_t i = 0; i + 1 < writes.size(); ++i) {
      for (std::size_t j = i + 1; j + 1 < writes.size(); ++j) candidates_.push_back({writes[i], writes[j]});
    }
  }
  rf_.resize(engine.shape().size());
  po_rf_.resize(rf_.size());
  events.relation(kRf, rf_.data());
  events.relation(kPo, po_rf_.data());
  readers_.assign(n, 0);
  for (std::size_t e = 0; e < n; ++e) {
    for_each_bit(rf_.data() + e * words_, words_, [&](std::size_t) { ++readers_[e]; });
    or_row(po_rf_.data() + e * words_, rf_.data() + e * words_, words_);
  }
}

bool Search::tick() { return budget_.spend(cost_); }

std::int32_t Search::leaf(std::int32_t axiom) {
  proofs_.push_back({axiom, {}});
  return static_cast<std::int32_t>(proofs_.size()) - 1;
}

void Search::order(std::int32_t before, std::int32_t after) {
  Word* mo = engine_.mo();
  const auto& writes = writes_[static_cast<std::size_t>(engine_.events().location(before))];
  const Word* onward = mo + after * words_;
  for (std::int32_t w : writes) {
    if (w != before && !ordered(w, before)) continue;
    or_row(mo + w * words_, onward, words_);
    set(mo + w * words_, static_cast<std::size_t>(after));
  }
}

Answer Search::run() {
  engine_.run_static();
  const auto& axioms = engine_.program().axioms;
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(axioms.size()); ++k) {
    if (axioms[k].flagged || axioms[k].uses_mo || !engine_.broken(k)) continue;
    root_ = leaf(k);
    return Answer::kInconsistent;
  }
  return complete();
}

// Adds before → after for a moment; where that breaks an axiom, the opposite becomes a step.
bool Search::forces(std::int32_t before, std::int32_t after, ProofNode& node) {
  saved_.assign(engine_.mo(), engine_.mo() + engine_.shape().size());
  order(before, after);
  const std::int32_t broken = engine_.first_broken(true);
  std::copy(saved_.begin(), saved_.end(), engine_.mo());
  if (broken < 0) return false;
  node.steps.push_back({after, before, leaf(broken)});
  order(after, before);
  return true;
}

// Guesses a total order and probes its neighbours: where the guess is wrong, two neighbours are the wrong way round.
// That is as many probes as there are writes, not pairs, and mostly enough for executions that are consistent.
Search::Progress Search::sharpen(ProofNode& node) {
  while (true) {
    if (!tick()) return Progress::kSpent;
    const std::vector<std::int32_t> position = linear_extension();
    if (holds_totally(position)) return Progress::kTotal;
    bool forced = false;
    for (const auto& writes : writes_) {
      const std::vector<std::int32_t> line = by_position(writes, position);
      for (std::size_t i = 1; i < line.size(); ++i) {
        if (!open({line[i - 1], line[i]})) continue;
        if (!tick()) return Progress::kSpent;
        if (!forces(line[i - 1], line[i], node)) continue;
        forced = true;
        node.axiom = engine_.first_broken(true);
        if (node.axiom >= 0) return Progress::kBroken;
      }
    }
    if (!forced) return Progress::kStuck;
  }
}

// Probes every open pair both ways; stuck when none is forced.
Search::Progress Search::sweep(ProofNode& node) {
  Progress progress = Progress::kStuck;
  for (const Candidate& c : candidates_) {
    if (!open(c)) continue;
    if (!tick() || !tick()) return Progress::kSpent;
    if (!forces(c.first, c.second, node) && !forces(c.second, c.first, node)) continue;
    progress = Progress::kForced;
    node.axiom = engine_.first_broken(true);
    if (node.axiom >= 0) return Progress::kBroken;
  }
  return progress;
}

Search::Progress Search::propagate(ProofNode& node) {
  while (true) {
    const Progress sharpened = sharpen(node);
    if (sharpened != Progress::kStuck) return sharpened;
    const Progress swept = sweep(node);
    if (swept != Progress::kForced) return swept;
  }
}

Answer Search::refute(std::int32_t& proof) {
  ProofNode node;
  if (!tick()) return Answer::kUndecided;
  node.axiom = engine_.first_broken(true);
  while (node.axiom < 0) {
    const Progress progress = propagate(node);
    if (progress == Progress::kTotal) return Answer::kConsistent;
    if (progress == Progress::kSpent) return Answer::kUndecided;
    if (progress == Progress::kBroken) break;
    const Split split = choose();
    if (!split.found) {  // total already: what broke the guess is an axiom that needs a total order
      node.axiom = engine_.first_broken(false);
      break;
    }
    const std::vector<Word> before(engine_.mo(), engine_.mo() + engine_.shape().size());
    order(split.before, split.after);
    std::int32_t inner = -1;
    const Answer verdict = refute(inner);
    if (verdict != Answer::kInconsistent) return verdict;
    std::copy(before.begin(), before.end(), engine_.mo());
    node.steps.push_back({split.after, split.before, inner});
    order(split.after, split.before);
    node.axiom = engine_.first_broken(true);
  }
  proofs_.push_back(std::move(node));
  proof = static_cast<std::int32_t>(proofs_.size()) - 1;
  return Answer::kInconsistent;
}

// Events in an order that follows mo, and follows po, rf and fr too as far as those let it.
std::vector<std::int32_t> Search::linear_extension() const {
  const auto n = engine_.shape().events;
  std::vector<std::int32_t> strong(n, 0), weak(n, 0), position(n, 0);
  std::vector<char> placed(n, 0);
  std::vector<Word> edges = po_rf_;
  for (std::size_t w = 0; w < n; ++w) {
    const Word* later = engine_.mo() + w * words_;
    or_row(edges.data() + w * words_, later, words_);
    for_each_bit(rf_.data() + w * words_, words_, [&](std::size_t r) {
      Word* row = edges.data() + r * words_;
      or_row(row, later, words_);  // fr, where an update does not precede itself
      row[r / 64] &= ~(Word{1} << (r % 64));
    });
  }
  for (std::size_t e = 0; e < n; ++e) {
    for_each_bit(edges.data() + e * words_, words_, [&](std::size_t to) { ++strong[to]; });
    for_each_bit(engine_.mo() + e * words_, words_, [&](std::size_t to) { ++weak[to]; });
  }
  for (std::size_t next = 0; next < n; ++next) {
    std::size_t pick = n, fallback = n;
    for (std::size_t e = 0; e < n && pick == n; ++e) {
      if (placed[e]) continue;
      if (strong[e] == 0) pick = e;
      if (weak[e] == 0 && fallback == n) fallback = e;
    }
    if (pick == n) pick = fallback;
    placed[pick] = 1;
    position[pick] = static_cast<std::int32_t>(next);
    for_each_bit(edges.data() + pick * words_, words_, [&](std::size_t to) { --strong[to]; });
    for_each_bit(engine_.mo() + pick * words_, words_, [&](std::size_t to) { --weak[to]; });
  }
  return position;
}

// A location's writes but the initial one, which is last in the list.
std::vector<std::int32_t> Search::by_position(const std::vector<std::int32_t>& writes,
                                              const std::vector<std::int32_t>& position) const {
  std::vector<std::int32_t> line(writes.begin(), writes.end() - 1);
  std::sort(line.begin(), line.end(), [&](std::int32_t a, std::int32_t b) { return position[a] < position[b]; });
  return line;
}

// Tries one total extension outright; keeps it where every axiom holds.
bool Search::holds_totally(const std::vector<std::int32_t>& position) {
  const std::vector<Word> before(engine_.mo(), engine_.mo() + engine_.shape().size());
  for (const auto& writes : writes_) {
    const std::vector<std::int32_t> line = by_position(writes, position);
    for (std::size_t i = line.size(); i-- > 1;) {
      Word* row = engine_.mo() + line[i - 1] * words_;
      or_row(row, engine_.mo() + line[i] * words_, words_);
      set(row, static_cast<std::size_t>(line[i]));
    }
  }
  if (engine_.first_broken(false) < 0) return true;
  std::copy(before.begin(), before.end(), engine_.mo());
  return false;
}

// The open pair whose order settles most others; the likelier direction first.
Search::Split Search::choose() const {
  Split best{-1, -1, false};
  std::int64_t best_score = -1;
  for (const Candidate& c : candidates_) {
    if (!open(c)) continue;
    const auto& writes = writes_[static_cast<std::size_t>(engine_.events().location(c.first))];
    std::int64_t before[2] = {1, 1}, after[2] = {1, 1};
    for (std::int32_t w : writes) {
      before[0] += ordered(w, c.first) && !ordered(w, c.second);
      before[1] += ordered(w, c.second) && !ordered(w, c.first);
      after[0] += ordered(c.first, w) && !ordered(c.second, w);
      after[1] += ordered(c.second, w) && !ordered(c.first, w);
    }
    const std::int64_t forth = before[0] * after[1], back = before[1] * after[0];
    const std::int64_t score =
        16 * std::min(forth, back) + std::max(forth, back) + 4 * (readers_[c.first] + readers_[c.second]);
    if (score <= best_score) continue;
    best_score = score;
    best = {c.first, c.second, true};
  }
  return best;
}

}  // namespace porf::relations
