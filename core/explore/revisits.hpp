// Which reads a new write may revisit in the stateless exploration: those for which r and all that the revisit deletes
// made the canonical choice in the graph without the write, so that exactly one graph offers it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "explore/awaits.hpp"
#include "explore/engine.hpp"
#include "explore/graph.hpp"
#include "explore/mutex.hpp"
#include "explore/runner.hpp"

namespace porf::explore {

// A lock waits for another one; its thread stops there.
inline void put_to_sleep(Runner& runner, Graph& g, std::int32_t lock, std::int32_t holder) {
  runner.read_from(g, g[lock], g.pending_before(lock), holder, false);
  g.set_clock(lock);
  runner.settle(g, lock);
  if (holder > lock) g.backward.push_back(lock);
}

template <Engine Consistency>
class Revisits {
 public:
  Revisits(Runner& runner, Consistency& engine, Awaits<Consistency>& awaits)
      : runner_(runner), engine_(engine), awaits_(awaits) {}

  // Whether read r of a graph takes the write of the cut. `p`, the graph of the level above, is for graphs
  // that are built to find that out.
  bool accept(const Graph& present, std::int32_t level, Graph& p, std::int32_t r, const Cut& cut) {
    g_ = &present;
    p_ = &p;
    level_ = level;
    const Graph& g = present;
    for (std::int32_t e : g.backward) {
      if (e >= r || g[e].rf < r || g.before(g[e].rf, cut.prefix) || may_sleep(e, r, cut)) continue;
      awaits_.check_woken(g, level_, e,
                          [&](std::int32_t o) { return o != cut.a && (o < r || g.before(o, cut.prefix)); });
      return false;
    }
    for (std::int32_t d = r; d < g.size(); ++d)
      if (deleted(d, cut) && (runner_.fails_for_no_reason(g, d) || Runner::chose_later(g, d))) return false;
    bool open = false;
    for (std::int32_t d = r; d < g.size(); ++d) {
      if (!deleted(d, cut) || !g[d].reads()) continue;
      Canonical choice = choice_of(d, cut);
      if (choice == Canonical::kNo) return false;
      open |= choice == Canonical::kUnknown;
    }
    return !open || canonical_by_replay(r, cut);
  }

 private:
  // What can be said of the choice of d without building the cut's graph.
  Canonical choice_of(std::int32_t d, const Cut& cut) {
    const Graph& g = *g_;
    auto settled = [](bool yes) { return yes ? Canonical::kYes : Canonical::kNo; };
    if (g[d].role != Role::kNone) return settled(mutex_canonical(d, cut));
    auto inside = [&](std::int32_t e) { return e != cut.a && (e < d || g.before(e, cut.prefix)); };
    if (g[d].rf >= 0 && !inside(g[d].rf)) {
      awaits_.check_woken(g, level_, d, inside);
      return Canonical::kNo;
    }
    if (awaits_.applied(g, level_, d))
      if (std::optional<bool> yes = awaits_.is_default(g, level_, cut, d)) return settled(*yes);
    if constexpr (Consistency::kFastCanonical)
      return settled(engine_.canonical(g, level_, cut, d));
    else if constexpr (requires { engine_.settled(g, level_, cut, d); })
      return engine_.settled(g, level_, cut, d);
    else
      return Canonical::kUnknown;
  }

  // A lock that keeps its place while the unlock that it took is deleted: it waits again, if the lock before
  // that stays, and if nobody has seen it.
  bool may_sleep(std::int32_t e, std::int32_t r, const Cut& cut) {
    const Graph& g = *g_;
    if (g[e].role != Role::kLock || g[e].op != kUpdate) return false;
    std::int32_t before = lock_of(g, g[e].rf);
    if (before < 0) return false;
    if (before >= r && !g.before(before, cut.prefix)) return false;
    for (std::int32_t f = g.last_at(g[e].loc); f >= 0; f = g[f].at)
      if (g[f].rf == e && (f < r || g.before(f, cut.prefix))) return false;
    return true;
  }

  // Whether d took, or waits for, what is there to be taken in the graph of the cut.
  bool mutex_canonical(std::int32_t d, const Cut& cut) {
    const Graph& g = *g_;
    auto in = [&](std::int32_t e) { return e != d && e != cut.a && (e < d || g.before(e, cut.prefix)); };
    std::int32_t source = g[d].rf;
    if (source >= 0 && !in(source)) {
      if (g[d].role != Role::kLock || g[d].op != kUpdate || lock_of(g, source) < 0) return false;
      source = lock_of(g, source);
    }
    return mutex_source(g, g[d].loc, in, scratch_) == source;
  }

  bool deleted(std::int32_t d, const Cut& cut) { return d != cut.a && !g_->before(d, cut.prefix); }

  // The same by building it: what was before r, and the prefix of a, are built in the next level; r and what is deleted
  // are added one by one, and each read of which nothing is known must have the first source of all.
  bool canonical_by_replay(std::int32_t r, const Cut& cut) {
    const Graph& g = *g_;
    Graph& p = *p_;
    keep_.assign(static_cast<std::size_t>(g.size()), false);
    for (std::int32_t e = 0; e < g.size(); ++e)
      keep_[e] = e < r || (g.before(e, cut.prefix) && (e != cut.a || g[e].op != kWrite));
    p.restrict_to(g, keep_, -1, renamed_);
    if (renamed_[cut.a] >= 0) p[renamed_[cut.a]].op = kRead;
    for (std::int32_t e : g.backward)
      if (e < r && !keep_[g[e].rf]) put_to_sleep(runner_, p, renamed_[e], renamed_[lock_of(g, g[e].rf)]);
    engine_.rebuild(p, level_ + 1, 0);
    for (std::int32_t d = r; d < g.size(); ++d) {
      if (!deleted(d, cut)) continue;
      Event event = g[d];
      if (event.reads() && event.role != Role::kNone) {
        if (event.rf >= 0 && renamed_[event.rf] < 0) {
          event.rf = lock_of(g, event.rf);
          if (event.rf < 0) return false;
          event.op = kRead;
        }
        if (event.rf >= 0) event.rf = renamed_[event.rf];
      } else if (event.reads()) {
        if (event.rf >= 0 && (event.rf == cut.a || renamed_[event.rf] < 0)) return false;
        if (event.rf >= 0) event.rf = renamed_[event.rf];
        if (choice_of(d, cut) == Canonical::kUnknown && !is_first_source(p, d, event.rf)) return false;
      }
      renamed_[d] = p.append(event);
      p.after.back() = g.after[d];
      if (event.op == kSpawnOp) {
        p.exists[event.other] = true;
        p.begun_by[event.other] = renamed_[d];
      }
      engine_.push(p, level_ + 1, renamed_[d]);
      if (event.role == Role::kUnlock) wake(p, d);
    }
    return true;
  }

  // Unlock u of the present graph has come into p: locks that took it, and slept there, take it.
  void wake(Graph& p, std::int32_t u) {
    const Graph& g = *g_;
    for (std::int32_t e = g.last_at(g[u].loc); e >= 0; e = g[e].at) {
      if (g[e].rf != u || g[e].op != kUpdate || renamed_[e] < 0) continue;
      std::int32_t lock = renamed_[e];
      p[lock].op = kUpdate;
      p[lock].rf = renamed_[u];
      p[lock].written = g[e].written;
      p.set_clock(lock);
      std::erase(p.arrival, lock);
      p.arrival.push_back(lock);
      engine_.rebuild(p, level_ + 1, 0);
    }
  }

  // Whether a source comes first by thread and index, of those that event d of the present graph may have in
  // graph p. One that it has in the present graph it may have.
  bool is_first_source(const Graph& p, std::int32_t d, std::int32_t w) {
    const Graph& g = *g_;
    const Pending& op = g.pending_before(d);
    auto key = [&](std::int32_t e) {
      return e < 0 ? 0 : runner_.rank()[p[e].thread] << 16 | static_cast<std::uint64_t>(p[e].index);
    };
    auto fits = [&](const Source& source) {
      std::int64_t value = runner_.value(p, op.loc, source.write), written = 0;
      return source.free || !Machine::modify(op, value, written);
    };
    if constexpr (requires { engine_.first_source(p, 0, 0, 0, 0); }) {
      return engine_.first_source(p, level_ + 1, g[d].thread, g[d].loc, w);
    } else if constexpr (requires { engine_.source(p, 0, 0, 0, 0); }) {
      auto may_read = [&](std::int32_t other) {
        std::optional<Source> source = engine_.source(p, level_ + 1, g[d].thread, g[d].loc, other);
        return source && fits(*source);
      };
      for (std::int32_t e = p.last_at(g[d].loc); e >= 0; e = p[e].at)
        if (p[e].writes() && key(e) < key(w) && may_read(e)) return false;
      return w == kInitial || !may_read(kInitial);
    } else {
      sources_.clear();
      engine_.sources(p, level_ + 1, g[d].thread, g[d].loc, sources_);
      bool found = false;
      for (const Source& source : sources_) {
        if (!fits(source)) continue;
        if (key(source.write) < key(w)) return false;
        found |= source.write == w;
      }
      return found;
    }
  }

  Runner& runner_;
  Consistency& engine_;
  Awaits<Consistency>& awaits_;
  const Graph* g_ = nullptr;  // the present graph
  Graph* p_ = nullptr;        // a part of it
  std::int32_t level_ = 0;
  std::vector<bool> keep_;
  std::vector<std::int32_t> renamed_;
  std::vector<char> scratch_;
  std::vector<Source> sources_;
};

}  // namespace porf::explore
