// Which reads a new write may revisit in the stateless exploration: those for which r and all that the revisit deletes
// made the canonical choice in the graph without the write, so that exactly one graph offers it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "explore/awaits.hpp"
#include "explore/engine.hpp"
#include "explore/graph.hpp"
#include "explore/mutex.hpp"
#include "explore/nest.hpp"
#include "explore/runner.hpp"
#include "explore/symmetry.hpp"

namespace porf::explore {

template <Engine Consistency>
class Revisits {
 public:
  Revisits(Runner& runner, Consistency& engine, Awaits<Consistency>& awaits, Nest<Consistency>& nest,
           Symmetry& symmetry)
      : runner_(runner), engine_(engine), awaits_(awaits), nest_(nest), symmetry_(symmetry) {}

  // Whether read r of the present graph takes the write of the cut.
  bool accept(std::int32_t r, const Cut& cut) {
    g_ = &nest_.graph();
    level_ = nest_.level();
    const Graph& g = *g_;
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
    return !open || replayed(r, cut);
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
    if (awaits_.applied(g, d))
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

  // The same by building it: what was before r, and the prefix of a, become the present graph for a while; r and what
  // is deleted are added one by one, and each read of which nothing is known must have the first source of all.
  bool replayed(std::int32_t r, const Cut& cut) {
    const Graph& g = *g_;
    keep_.assign(static_cast<std::size_t>(g.size()), true);
    deleted_.clear();
    for (std::int32_t d = r; d < g.size(); ++d) {
      keep_[d] = g.before(d, cut.prefix) && (d != cut.a || g[d].op != kWrite);
      if (!deleted(d, cut)) continue;
      Event v = g[d];
      bool waits = v.reads() && v.role != Role::kNone && v.rf >= r && !g.before(v.rf, cut.prefix);
      bool open = v.reads() && v.role == Role::kNone && choice_of(d, cut) == Canonical::kUnknown;
      deleted_.push_back({d, v, g.pending_after(d), waits ? lock_of(g, v.rf) : -1, open});
    }
    typename Nest<Consistency>::Mark present = nest_.mark();
    nest_.restrict_to(keep_, r, -1);
    Graph& p = nest_.graph();
    level_ = nest_.level();
    if (nest_.renamed(cut.a) >= 0) p[nest_.renamed(cut.a)].op = kRead;
    nest_.load(0);
    bool canonical = std::all_of(deleted_.begin(), deleted_.end(), [&](Deleted& d) { return add_again(p, d, cut); });
    nest_.back_to(present);
    level_ = nest_.level();
    return canonical;
  }

  // An event that a revisit deletes.
  struct Deleted {
    std::int32_t number;
    Event event;
    Pending after;
    std::int32_t holder;  // if its source may be missing: the lock that it waits for then
    bool open;            // whether nothing is known of its choice
  };

  bool add_again(Graph& p, Deleted& d, const Cut& cut) {
    Event& v = d.event;
    std::int32_t taken = v.rf;
    bool sleeps = false;
    if (v.reads() && taken >= 0) {
      std::int32_t source = nest_.renamed(taken);
      if (v.role != Role::kNone && source < 0) {
        if (d.holder < 0) return false;
        source = nest_.renamed(d.holder);
        v.op = kRead;
        sleeps = true;
      } else if (v.role == Role::kNone && (taken == cut.a || source < 0)) {
        return false;
      }
      v.rf = source;
    }
    if (d.open && !is_first_source(p, v)) return false;
    std::int32_t e = p.append(v);
    nest_.rename(d.number, e);
    p.after.back() = d.after;
    if (v.op == kSpawnOp) {
      p.exists[v.other] = true;
      p.begun_by[v.other] = e;
    }
    engine_.push(p, level_, e);
    if (sleeps) nest_.add_sleeper({e, taken, v.written});
    if (v.role == Role::kUnlock) wake(d.number);
    return true;
  }

  // An unlock of the whole has come into the part: locks that took it, and sleep there, take it.
  void wake(std::int32_t unlock) {
    for (const Sleeper& s : nest_.sleepers()) {
      if (s.unlock != unlock) continue;
      nest_.change(s.lock, [&](Event& v) {
        v.op = kUpdate;
        v.rf = nest_.renamed(unlock);
        v.written = s.written;
      });
    }
  }

  // Whether the source of an event that is not there yet comes first by thread and index, of those that it may have in
  // graph p. One that it has in the present graph it may have.
  bool is_first_source(const Graph& p, const Event& v) {
    const Pending& op = p.pending(v.thread);
    std::int32_t w = v.rf;
    auto key = [&](std::int32_t e) {
      return e < 0 ? 0 : runner_.rank()[p[e].thread] << 32 | static_cast<std::uint64_t>(p[e].index);
    };
    auto fits = [&](const Source& source) {
      std::int64_t value = runner_.value(p, op.loc, source.write), written = 0;
      return source.free || !Machine::modify(op, value, written);
    };
    if constexpr (requires { engine_.first_source(p, 0, 0, 0, 0); }) {
      return engine_.first_source(p, level_, v.thread, v.loc, w);
    } else if constexpr (requires { engine_.source(p, 0, 0, 0, 0); }) {
      auto may_read = [&](std::int32_t other) {
        std::optional<Source> source = engine_.source(p, level_, v.thread, v.loc, other);
        return source && fits(*source);
      };
      for (std::int32_t e = p.last_at(v.loc); e >= 0; e = p[e].at)
        if (p[e].writes() && key(e) < key(w) && may_read(e)) return false;
      return w == kInitial || !may_read(kInitial);
    } else {
      sources_.clear();
      engine_.sources(p, level_, v.thread, v.loc, sources_);
      bool found = false;
      for (const Source& source : sources_) {
        if (!fits(source) || !symmetry_.admits(p, v.thread, source.write)) continue;
        if constexpr (requires { engine_.is_tail(p, 0, 0); })
          if (!engine_.is_tail(p, v.loc, source.write)) continue;
        if (key(source.write) < key(w)) return false;
        found |= source.write == w;
      }
      return found;
    }
  }

  Runner& runner_;
  Consistency& engine_;
  Awaits<Consistency>& awaits_;
  Nest<Consistency>& nest_;
  Symmetry& symmetry_;
  const Graph* g_ = nullptr;  // the present graph
  std::int32_t level_ = 0;
  std::vector<bool> keep_;
  std::vector<Deleted> deleted_;
  Marks scratch_;
  std::vector<Source> sources_;
};

}  // namespace porf::explore
