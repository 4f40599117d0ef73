#include "explore/evaluation.hpp"

#include <algorithm>

#include "relations/search.hpp"

namespace porf::explore {

Evaluation::Evaluation(const relations::Program& program, bool two_events, Budget& budget)
    : two_events_(two_events), budget_(budget), instructions_(program.code.size()), engine_(program, events_) {}

std::int32_t Evaluation::location(std::int32_t loc) {
  if (loc < 0) return -1;
  if (static_cast<std::size_t>(loc) >= dense_.size()) dense_.resize(static_cast<std::size_t>(loc) + 1, -1);
  if (dense_[loc] < 0) {
    dense_[loc] = static_cast<std::int32_t>(used_.size());
    used_.push_back(loc);
  }
  return dense_[loc];
}

void Evaluation::load(const Graph& g) {
  threads_ = g.stride;
  thread_.clear();
  loc_.clear();
  rf_.clear();
  op_.clear();
  order_.clear();
  across_.clear();
  for (auto& kind : depends_)
    for (auto& rows : kind) rows.clear();
  for (std::int32_t loc : used_) dense_[loc] = -1;
  used_.clear();
  for (std::int32_t e = 0; e < g.size(); ++e) {
    const Event& v = g[e];
    add_row(g, v, g.predecessor(e));
    add_dependencies(g, v, e);
    g.each_awaited(v, [&](std::int32_t awaited) {
      if (shown(g, awaited) >= 0) across_.push_back({shown(g, awaited), e});
    });
  }
}

void Evaluation::load_next(const Graph& g, const Event& event) {
  load(g);
  add_row(g, event, g.last[event.thread] < 0 ? g.begun_by[event.thread] : g.last[event.thread]);
  add_dependencies(g, event, g.size());
}

void Evaluation::add_dependencies(const Graph& g, const Event& event, std::int32_t row) {
  each_dependency(g, event, row, [&](DependencyKind kind, std::int32_t read) {
    depends_[static_cast<std::size_t>(kind)][0].push_back(read);
    depends_[static_cast<std::size_t>(kind)][1].push_back(row);
  });
}

void Evaluation::add_row(const Graph& g, const Event& event, std::int32_t before) {
  const bool hidden = is_hidden(event);
  before = hidden ? -1 : shown(g, before);
  if (before >= 0 && g[before].thread != event.thread)
    across_.push_back({before, static_cast<std::int32_t>(thread_.size())});
  thread_.push_back(hidden ? threads_++ : event.thread);
  loc_.push_back(location(event.loc));
  rf_.push_back(event.rf);
  op_.push_back(std::min<std::uint8_t>(event.op, kFence));
  order_.push_back(order_of(event.op, event.order));
}

void Evaluation::assign() {
  if (!budget_.spend(1 + thread_.size() * instructions_ / 256)) throw relations::Spent{};
  Execution execution{thread_, op_, loc_, order_, rf_, threads_, static_cast<std::int32_t>(used_.size())};
  for (std::size_t kind = 0; kind < depends_.size(); ++kind)
    execution.dependencies[kind] = {depends_[kind][0], depends_[kind][1]};
  events_.assign(execution, two_events_, across_);
  engine_.renew();
  engine_.run_static();
}

bool Evaluation::begin() {
  assign();
  const auto& axioms = engine_.program().axioms;
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(axioms.size()); ++k)
    if (!axioms[k].flagged && !axioms[k].uses_mo && engine_.broken(k)) return false;
  return true;
}

bool Evaluation::consistent(Witness& witness, std::int32_t newest) {
  if (!begin()) return false;
  apply(witness);
  if (engine_.first_broken(false) < 0) return true;
  engine_.reset_order();
  if (refuted(witness, newest)) return false;
  switch (relations::Search(engine_, budget_).complete()) {
    case Answer::kUndecided:
      throw relations::Spent{};
    case Answer::kInconsistent:
      return false;
    default:
      extract(witness);
      return true;
  }
}

// Mostly what is wrong is that the newest event reads from a write that another one, known to it, follows, or
// that another update has taken.
bool Evaluation::refuted(const Witness& witness, std::int32_t newest) {
  if (engine_.first_broken(true) >= 0) return true;
  if (op_[newest] != kRead && op_[newest] != kUpdate) return false;
  const Line& line = witness[static_cast<std::size_t>(used_[loc_[newest]])];
  const std::int32_t pivot = op_[newest] == kUpdate ? newest : rf_[newest];
  if (pivot < 0) return false;
  if (pivot == newest) {
    for (std::int32_t w : line)
      if (op_[w] == kUpdate && rf_[w] >= 0) forces(line, w, rf_[w]);
  }
  bool before = true;
  for (std::int32_t w : line) {
    if (w == pivot) {
      before = false;
    } else if (!before || pivot == newest) {
      const bool forced = before ? forces(line, pivot, w) : forces(line, w, pivot);
      if (forced && engine_.first_broken(true) >= 0) return true;
    }
  }
  return false;
}

// Whether the order of two writes breaks an axiom; then the opposite order is the engine's.
bool Evaluation::forces(const Line& line, std::int32_t before, std::int32_t after) {
  saved_.assign(engine_.mo(), engine_.mo() + engine_.shape().size());
  order(line, before, after);
  const bool broken = engine_.first_broken(true) >= 0;
  std::copy(saved_.begin(), saved_.end(), engine_.mo());
  if (broken) order(line, after, before);
  return broken;
}

void Evaluation::order(const Line& line, std::int32_t before, std::int32_t after) {
  const std::size_t words = engine_.shape().words, first = node(before), second = node(after);
  for (std::int32_t w : line) {
    relations::Word* row = engine_.mo() + node(w) * words;
    if (w != before && !relations::test(row, first)) continue;
    relations::or_row(row, engine_.mo() + second * words, words);
    relations::set(row, second);
  }
}

// The order that the witness says, into the engine.
void Evaluation::apply(const Witness& witness) {
  const std::size_t words = engine_.shape().words;
  for (std::int32_t loc : used_) {
    const Line& line = witness[loc];
    for (std::size_t i = line.size(); i-- > 1;) {
      relations::Word* row = engine_.mo() + node(line[i - 1]) * words;
      relations::or_row(row, engine_.mo() + node(line[i]) * words, words);
      relations::set(row, node(line[i]));
    }
  }
}

void Evaluation::extract(Witness& witness) const {
  const std::size_t words = engine_.shape().words;
  for (std::int32_t loc : used_) {
    Line& line = witness[loc];
    std::sort(line.begin(), line.end(),
              [&](std::int32_t a, std::int32_t b) { return relations::test(engine_.mo() + node(a) * words, node(b)); });
  }
}

void Evaluation::orders(const Witness& witness, const std::function<void(const Witness&)>& visit) {
  if (!begin()) return;
  Witness chosen(witness.size());
  extend(witness, 0, chosen, visit);
}

void Evaluation::relate(const Witness* witness) {
  assign();
  if (witness == nullptr) return;
  apply(*witness);
  engine_.first_broken(false);
}

bool Evaluation::leads(std::int32_t a, std::int32_t b) const {
  const std::int32_t end = events_.last_node(a);
  return related(end, events_.first_node(b)) || related(end, events_.last_node(b));
}

bool Evaluation::orders_conflict(std::int32_t a, std::int32_t b) const {
  for (std::int32_t i : {events_.first_node(a), events_.last_node(a)})
    for (std::int32_t j : {events_.first_node(b), events_.last_node(b)})
      if ((events_.writes(i) || events_.writes(j)) && !related(i, j) && !related(j, i)) return false;
  return true;
}

// Location after location, write after write: all that is chosen comes before all that is not.
void Evaluation::extend(const Witness& witness, std::size_t at, Witness& chosen,
                        const std::function<void(const Witness&)>& visit) {
  if (at == used_.size()) {
    if (engine_.first_broken(false) < 0) visit(chosen);
    return;
  }
  const auto loc = static_cast<std::size_t>(used_[at]);
  const Line& all = witness[loc];
  Line& line = chosen[loc];
  if (line.size() == all.size()) return extend(witness, at + 1, chosen, visit);
  const std::vector<relations::Word> before(engine_.mo(), engine_.mo() + engine_.shape().size());
  for (std::int32_t w : all) {
    if (std::find(line.begin(), line.end(), w) != line.end()) continue;
    line.push_back(w);
    for (std::int32_t later : all)
      if (std::find(line.begin(), line.end(), later) == line.end()) order(all, w, later);
    if (!budget_.spend(1 + thread_.size() * instructions_ / 256)) throw relations::Spent{};
    if (engine_.first_broken(true) < 0) extend(witness, at, chosen, visit);
    std::copy(before.begin(), before.end(), engine_.mo());
    line.pop_back();
  }
}

}  // namespace porf::explore
