#include "explore/axioms.hpp"

#include <algorithm>

#include "explore/run.hpp"
#include "relations/search.hpp"

namespace porf::explore {

namespace {

// A read that is, or could be, the first half of an update keeps what acquires.
std::uint8_t read_order(std::uint8_t order) { return order == kAcqRel ? kAcq : order == kRel ? kRlx : order; }

}  // namespace

Axioms::Axioms(const Runner& runner, const Settings& settings, Budget& budget)
    : runner_(runner),
      two_events_(settings.two_events),
      suspect_(settings.suspect),
      budget_(budget),
      instructions_(settings.file->code.size()),
      engine_(*settings.file, events_) {}

void Axioms::clear(std::int32_t level) {
  if (static_cast<std::size_t>(level) >= levels_.size()) levels_.resize(static_cast<std::size_t>(level) + 1);
  for (auto& line : levels_[level]) line.clear();
}

bool Axioms::rebuild(const Graph& g, std::int32_t level, std::int32_t fresh) {
  clear(level);
  Witness& witness = fit(level);
  for (std::int32_t e : g.arrival) insert(g, witness, e);
  if (fresh == 0) return true;
  load(g);
  return consistent(witness);
}

void Axioms::push(const Graph& g, std::int32_t level, std::int32_t e) {
  Witness& witness = fit(level);
  insert(g, witness, e);
  if (!suspect_ || g[e].reads()) return;
  load(g);
  refused_ += !consistent(witness);
}

bool Axioms::try_push(const Graph& g, std::int32_t level, std::int32_t e) {
  Witness& witness = fit(level);
  insert(g, witness, e);
  load(g);
  if (consistent(witness)) return true;
  pop(g, level, e);
  return false;
}

void Axioms::pop(const Graph& g, std::int32_t level, std::int32_t e) {
  if (g[e].loc < 0) return;
  auto& line = levels_[level][static_cast<std::size_t>(g[e].loc)];
  line.erase(std::remove(line.begin(), line.end(), e), line.end());
}

void Axioms::sources(const Graph& g, std::int32_t level, std::int32_t t, std::int32_t loc,
                     std::vector<Source>& out) {
  Witness& witness = fit(level);
  const Pending& p = g.pending(t);
  const std::int32_t e = g.size();
  Event event;
  event.thread = t;
  event.loc = loc;
  load(g);
  add_row(event, g.last[t] < 0 ? g.begun_by[t] : -1);
  auto& line = witness[static_cast<std::size_t>(loc)];
  auto offer = [&](std::int32_t w) {
    std::int64_t value = runner_.value(g, loc, w), written = 0;
    if (p.next == Next::kLock && value != 0) return;
    const bool writes = Machine::modify(p, value, written);
    rf_.back() = w;
    if (writes) {
      op_.back() = kUpdate;
      order_.back() = p.order;
      insert_update(line, e, w);
      const bool free = consistent(witness);
      line.erase(std::remove(line.begin(), line.end(), e), line.end());
      if (free) return out.push_back({w, true});
    }
    op_.back() = kRead;
    order_.back() = read_order(p.next == Next::kCas && !writes ? p.failure : p.order);
    if (consistent(witness)) out.push_back({w, false});
  };
  offer(kInitial);
  for (std::int32_t w = g.last_at(loc); w >= 0; w = g[w].at)
    if (g[w].writes()) offer(w);
}

Axioms::Witness& Axioms::fit(std::int32_t level) {
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

std::int32_t Axioms::location(std::int32_t loc) {
  if (loc < 0) return -1;
  if (static_cast<std::size_t>(loc) >= dense_.size()) dense_.resize(static_cast<std::size_t>(loc) + 1, -1);
  if (dense_[loc] < 0) {
    dense_[loc] = static_cast<std::int32_t>(used_.size());
    used_.push_back(loc);
  }
  return dense_[loc];
}

// Threads that start and end order as fences without an order of their own.
void Axioms::load(const Graph& g) {
  threads_ = g.stride;
  thread_.clear();
  loc_.clear();
  rf_.clear();
  op_.clear();
  order_.clear();
  across_.clear();
  for (std::int32_t loc : used_) dense_[loc] = -1;
  used_.clear();
  for (std::int32_t e = 0; e < g.size(); ++e) {
    const Event& v = g[e];
    add_row(v, v.prev < 0 ? g.begun_by[v.thread] : -1);
    if (v.op != kJoinOp) continue;
    const std::int32_t end = g.last[v.other] >= 0 ? g.last[v.other] : g.begun_by[v.other];
    if (end >= 0) across_.push_back({end, e});
  }
}

void Axioms::add_row(const Event& event, std::int32_t before) {
  if (before >= 0) across_.push_back({before, static_cast<std::int32_t>(thread_.size())});
  thread_.push_back(event.thread);
  loc_.push_back(location(event.loc));
  rf_.push_back(event.rf);
  op_.push_back(std::min<std::uint8_t>(event.op, kFence));
  order_.push_back(event.op > kFence ? kNa : event.op == kRead ? read_order(event.order) : event.order);
}

bool Axioms::consistent(Witness& witness) {
  if (!budget_.spend(1 + thread_.size() * instructions_ / 256)) throw relations::Spent{};
  const Execution execution{
      thread_, op_, loc_, order_, rf_, threads_, static_cast<std::int32_t>(used_.size())};
  events_.assign(execution, {}, two_events_, across_);
  engine_.renew();
  engine_.run_static();
  const auto& axioms = engine_.program().axioms;
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(axioms.size()); ++k)
    if (!axioms[k].flagged && !axioms[k].uses_mo && engine_.broken(k)) return false;
  apply(witness);
  if (engine_.first_broken(false) < 0) return true;
  engine_.reset_order();
  switch (relations::Search(engine_, budget_).run()) {
    case relations::Verdict::kUndecided:
      throw relations::Spent{};
    case relations::Verdict::kInconsistent:
      return false;
    default:
      extract(witness);
      return true;
  }
}

// The order that the witness says, into the engine.
void Axioms::apply(const Witness& witness) {
  const std::size_t words = engine_.shape().words;
  for (std::int32_t loc : used_) {
    const auto& line = witness[static_cast<std::size_t>(loc)];
    for (std::size_t i = line.size(); i-- > 1;) {
      const auto before = static_cast<std::size_t>(events_.write_node(line[i - 1]));
      const auto after = static_cast<std::size_t>(events_.write_node(line[i]));
      relations::Word* row = engine_.mo() + before * words;
      relations::or_row(row, engine_.mo() + after * words, words);
      relations::set(row, after);
    }
  }
}

void Axioms::extract(Witness& witness) const {
  const std::size_t words = engine_.shape().words;
  auto node = [&](std::int32_t e) { return static_cast<std::size_t>(events_.write_node(e)); };
  for (std::int32_t loc : used_) {
    auto& line = witness[static_cast<std::size_t>(loc)];
    std::sort(line.begin(), line.end(), [&](std::int32_t a, std::int32_t b) {
      return relations::test(engine_.mo() + node(a) * words, node(b));
    });
  }
}

Result explore_file(const Program& program, const Settings& settings, const std::vector<Task>& tasks,
                    const Poll& poll, const Sizes& sizes) {
  return run<Axioms>(program, settings, tasks, poll, sizes);
}

}  // namespace porf::explore
