// Consistency under a model file that was compiled, kept along the path of an exploration.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "budget.hpp"
#include "explore/constrained.hpp"
#include "explore/engine.hpp"
#include "explore/explore.hpp"
#include "explore/linear.hpp"
#include "explore/runner.hpp"

namespace porf::explore {

template <int kWords>
class Compiled {
 public:
  static constexpr bool kFastCanonical = false;

  // Throws relations::Spent when the budget ends in the middle of a search.
  Compiled(const Runner& runner, const Settings& settings, Budget& budget)
      : runner_(runner),
        two_events_(settings.two_events),
        budget_(budget),
        walks_(*settings.file),
        form_(walks_, settings.two_events) {}
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  void clear(std::int32_t level) {
    while (static_cast<std::size_t>(level) >= levels_.size()) levels_.emplace_back(form_, two_events_, budget_);
    levels_[level].clear(runner_.threads());
  }

  bool rebuild(const Graph& g, std::int32_t level, std::int32_t fresh) {
    clear(level);
    const auto n = static_cast<std::int32_t>(g.arrival.size());
    for (std::int32_t i = 0; i < n - fresh; ++i) push(g, level, g.arrival[i]);
    for (std::int32_t i = n - fresh; i < n; ++i)
      if (!try_push(g, level, g.arrival[i])) return false;
    return true;
  }

  void push(const Graph& g, std::int32_t level, std::int32_t e) { levels_[level].insert(g, e, g[e]); }

  bool try_push(const Graph& g, std::int32_t level, std::int32_t e) {
    State& s = levels_[level];
    if (s.insert(g, e, g[e]) && (!g[e].reads() || s.possible())) return true;
    s.remove(e);
    return false;
  }

  void pop(const Graph&, std::int32_t level, std::int32_t e) { levels_[level].remove(e); }

  void sources(const Graph& g, std::int32_t level, std::int32_t t, std::int32_t loc, std::vector<Source>& out) {
    if (std::optional<Source> found = source(g, level, t, loc, kInitial)) out.push_back(*found);
    for (std::int32_t w = g.last_at(loc); w >= 0; w = g[w].at) {
      if (!g[w].writes()) continue;
      if (std::optional<Source> found = source(g, level, t, loc, w)) out.push_back(*found);
    }
  }

  // Whether d reads what is canonical in the graph of the cut. Saved relations are the same there, and say which chains
  // of updates nothing follows; of these, the first to which no order of events leads can come last in any case. If all
  // can be led to, and there is one alone, that is always last. Otherwise the first counts that can be read.
  Canonical settled(const Graph& g, std::int32_t level, const Cut& cut, std::int32_t d) {
    State& s = levels_[level];
    const Event& v = g[d];
    auto inside = [&](std::int32_t e) { return e != d && e != cut.a && (e < d || g.before(e, cut.prefix)); };
    if (v.rf >= 0 && !inside(v.rf)) return Canonical::kNo;
    find_last(g, s, v.loc, inside, g[cut.a].op == kWrite ? -1 : cut.a);
    if (v.rf < 0) return present_ ? Canonical::kNo : Canonical::kYes;
    const std::int32_t own = s.span(v.rf).write;
    bool among = false, first = true, quiet = false;
    for (const Last& last : lasts_) {
      if (last.heirless == own) among = true;
      quiet |= last.quiet;
    }
    if (!among) return Canonical::kNo;
    const Last& mine = *std::find_if(lasts_.begin(), lasts_.end(), [&](const Last& l) { return l.heirless == own; });
    if (quiet && !mine.quiet) return Canonical::kNo;
    for (const Last& last : lasts_) first &= (quiet && !last.quiet) || last.key >= mine.key;
    if (quiet) return first ? Canonical::kYes : Canonical::kNo;
    if (lasts_.size() == 1) return Canonical::kYes;
    return first && !v.conflict ? Canonical::kYes : Canonical::kUnknown;
  }

  // In a graph in which that was not to be seen: whether the thread's next event has no source before w.
  bool first_source(const Graph& g, std::int32_t level, std::int32_t t, std::int32_t loc, std::int32_t w) {
    State& s = levels_[level];
    find_last(g, s, loc, [](std::int32_t) { return true; }, -1);
    if (w < 0) return !present_;
    const std::int32_t own = s.span(w).write;
    std::vector<Last> lasts = lasts_;
    auto mine = std::find_if(lasts.begin(), lasts.end(), [&](const Last& l) { return l.heirless == own; });
    if (mine == lasts.end()) return false;
    auto taken = [&](const Last& last) {
      std::optional<Source> found = source(g, level, t, loc, s.node(last.heirless).event);
      return found && (found->free || !writes(g, t, loc, s.node(last.heirless).event));
    };
    for (const Last& last : lasts)
      if (last.key < mine->key && taken(last)) return false;
    return taken(*mine);
  }

  std::uint64_t orders(const Graph& g, std::int32_t level, std::vector<WriteOrder>* all) {
    State& s = levels_[level];
    std::uint64_t count = 0;
    s.each_order([&] {
      ++count;
      if (all == nullptr) return;
      all->emplace_back();
      for (std::size_t x = 0; x < g.at.size(); ++x) {
        const auto begin = static_cast<std::ptrdiff_t>(all->back().size());
        const auto loc = static_cast<std::int32_t>(x);
        s.place(loc).writes.each([&](std::int32_t n) { all->back().push_back(s.node(n).event); });
        std::sort(all->back().begin() + begin, all->back().end(),
                  [&](std::int32_t a, std::int32_t b) { return s.earlier(s.span(b).write).test(s.span(a).write); });
      }
    });
    return count;
  }

 private:
  using State = Constrained<kWords>;
  using Set = typename State::Set;

  // A chain that nothing follows by saved relations: its last write, what it is known by, and whether no order of
  // events leads to it.
  struct Last {
    std::int32_t heirless = -1;
    std::uint64_t key = 0;
    bool quiet = false;
  };

  bool writes(const Graph& g, std::int32_t t, std::int32_t loc, std::int32_t w) const {
    std::int64_t value = runner_.value(g, loc, w), written = 0;
    return Machine::modify(g.pending(t), value, written);
  }

  // Whether the thread's next event may read from a write, and if it writes, as an update.
  std::optional<Source> source(const Graph& g, std::int32_t level, std::int32_t t, std::int32_t loc, std::int32_t w) {
    const Pending& p = g.pending(t);
    std::int64_t value = runner_.value(g, loc, w), written = 0;
    if (p.next == Next::kLock && value != 0) return std::nullopt;
    const bool update = Machine::modify(p, value, written);
    Event event;
    event.thread = t;
    event.loc = loc;
    event.rf = w;
    event.op = kUpdate;
    event.order = p.order;
    event.depends = p.depends;
    if (update && consistent(g, levels_[level], event)) return Source{w, true};
    event.op = kRead;
    if (p.next == Next::kCas && !update) event.order = p.failure;
    return consistent(g, levels_[level], event) ? std::optional(Source{w, false}) : std::nullopt;
  }

  bool consistent(const Graph& g, State& s, const Event& event) {
    const std::int32_t e = g.size();
    const bool good = s.insert(g, e, event) && s.possible();
    s.remove(e);
    return good;
  }

  // The chains of a location, in a part of the graph, that nothing follows there. Event `only_reads` is in that part
  // without its write, if it has one.
  template <typename Inside>
  void find_last(const Graph& g, State& s, std::int32_t loc, const Inside& inside, std::int32_t only_reads) {
    Set writes, followed;
    for (std::int32_t e = g.last_at(loc); e >= 0; e = g[e].at) {
      if (e == only_reads) {
        const std::int32_t n = s.span(e).read;
        followed.add(g[e].op == kUpdate ? s.seen_as_read(n) : s.seen(n));
      }
      if (!inside(e)) continue;
      const auto& span = s.span(e);
      followed.add(s.seen(span.read));
      if (!g[e].writes()) continue;
      followed.add(s.seen(span.write));
      writes.set(span.write);
    }
    present_ = writes.any();
    lasts_.clear();
    Set bad, many;  // chains by their roots
    writes.each([&](std::int32_t n) {
      const std::int32_t root = s.root(n);
      if (root < 0) return;
      many.set(root);
      if (followed.test(n)) bad.set(root);
    });
    const bool chains = many.any();
    writes.each([&](std::int32_t n) {
      const std::int32_t root = s.root(n), heir = s.heir(n);
      if (heir >= 0 && writes.test(heir)) return;
      if (root < 0 ? chains : bad.test(root)) return;
      std::uint64_t key = 0;
      if (root >= 0) {
        const Event& first = g[s.node(root).event];
        key = runner_.rank()[first.thread] << 16 | static_cast<std::uint64_t>(first.index);
      }
      lasts_.push_back({n, key, is_quiet(s, writes, root, inside, only_reads)});
    });
  }

  template <typename Inside>
  static bool is_quiet(const State& s, const Set& writes, std::int32_t root, const Inside& inside,
                       std::int32_t only_reads) {
    if (s.direct()) return false;
    bool quiet = true;
    writes.each([&](std::int32_t n) {
      if (!quiet || s.root(n) != root) return;
      quiet = !s.any_end(n, [&](std::int32_t x) {
        const std::int32_t e = s.node(x).event;
        return e == only_reads || inside(e);
      });
    });
    return quiet;
  }

  const Runner& runner_;
  bool two_events_;
  Budget& budget_;
  Walks walks_;
  Linear form_;
  std::deque<State> levels_;
  std::vector<Last> lasts_;
  bool present_ = false;  // whether there are writes
};

}  // namespace porf::explore
