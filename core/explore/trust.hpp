// Truly stateless exploration without a modification order: each class of (po, rf) once, in space polynomial in the
// size of one graph. A write that arrives is offered to the reads of its location that could not know it; a read takes
// it only if what the revisit deletes was chosen canonically, so that exactly one graph offers it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "budget.hpp"
#include "explore/awaits.hpp"
#include "explore/coherence.hpp"
#include "explore/leaf.hpp"
#include "explore/nest.hpp"
#include "explore/races.hpp"
#include "explore/recorder.hpp"
#include "explore/revisits.hpp"
#include "explore/runner.hpp"
#include "explore/symmetry.hpp"
#include "relations/engine.hpp"

namespace porf::explore {

template <Engine Consistency>
class Trust {
 public:
  Trust(Runner& runner, Consistency& engine, Races& races, Recorder& recorder, Budget& budget, StrategyOptions options)
      : runner_(runner),
        engine_(engine),
        races_(races),
        recorder_(recorder),
        budget_(budget),
        options_(options),
        awaits_(runner, engine, options.awaits, options_.guesses),
        nest_(runner, engine, races),
        symmetry_(runner, options.coherent),
        revisits_(runner, engine, awaits_, nest_, symmetry_) {}

  // Explores what a task covers. What a budget or a limit leaves is returned as tasks.
  std::vector<Task> explore(const Task& task) {
    // What comes from outside may be anything.
    if (task.floor < 0 || static_cast<std::size_t>(task.floor) > task.path.size()) throw NoSuchPath{};
    task_ = &task;
    nest_.clear();
    frames_.clear();
    taken_.clear();
    options_list_.clear();
    mass_ = 1;
    for (std::int32_t t = 0; t < graph().stride; ++t)
      if (graph().exists[t]) recorder_.examine(graph(), t, taken_);
    try {
      while (true) {
        if (!forward()) return remaining();
        if (frames_.size() < task.path.size() && !recorder_.must_stop()) throw NoSuchPath{};
        if (!backtrack()) return {};
        if (recorder_.must_stop() || recorder_.at_limit(options_.limit) || !budget_.hold(held())) return remaining();
      }
    } catch (const relations::Spent&) {  // in the middle of a check
      return remaining();
    }
  }

 private:
  struct Option {
    std::int32_t event = 0;  // the source of a read, the number of a choice, or the read to revisit
    enum Kind : std::uint8_t {
      kSource,
      kConflict,
      kSpurious,
      kWaits,
      kForward,
      kRevisit,
      kSpuriousRevisit,
      kWaitingRevisit
    } kind = kSource;
    bool skipped = false;  // since a guess says that nothing comes of it; so paths do not depend on guesses
  };

  // A place at which the exploration branched.
  struct Frame {
    typename Nest<Consistency>::Mark base;  // the graph
    std::int32_t actor;                     // the thread that reads, or the event that writes
    std::size_t first, last, cursor;
    double mass;
  };

  Graph& graph() { return nest_.graph(); }

  // About how many bytes are in use: what is remembered of executions, and graphs.
  std::uint64_t held() { return recorder_.held() + nest_.held(); }

  // Goes on to a leaf; false if the budget is spent first.
  bool forward() {
    while (true) {
      if (!budget_.spend(1 + static_cast<std::uint64_t>(graph().size()) / 16) || !budget_.hold(held())) return false;
      if (recorder_.must_stop()) return true;
      Graph& g = graph();
      std::int32_t t = runner_.choose(g, chances_);
      if (t < 0) {
        if (t != Runner::kOverslept) {
          record_races(engine_, races_, recorder_, g, nest_.level(), taken_);
          record_leaf(engine_, recorder_, g, nest_.level(), taken_, symmetry_.orbit(g));
        }
        recorder_.findings.explored += mass_;
        return true;
      }
      Next next = g.pending(t).next;
      if (!(is_read(next) ? branch(t) : next == Next::kChoose ? choose(t) : step(t))) {
        recorder_.findings.explored += mass_;
        return true;
      }
    }
  }

  // An event that has one outcome. False: this graph is not to be followed.
  bool step(std::int32_t t) {
    Graph& g = graph();
    std::int32_t e = add(runner_.next(g, t, kNotRead, false));
    return !g[e].writes() || arrived(e);
  }

  // Every number that may be chosen.
  bool choose(std::int32_t t) {
    const Pending& p = graph().pending(t);
    std::size_t first = options_list_.size();
    for (std::int64_t n = 0; n <= p.value - p.expected; ++n)
      if ((n == 0 || !p.weak || may_fail(t, graph().last[t], p.expected + n)) &&
          symmetry_.admits_number(graph(), t, p.expected + n))
        options_list_.push_back({static_cast<std::int32_t>(n), Option::kSource});
    return open(t, first);
  }

  // A read: every write that it may read from.
  bool branch(std::int32_t t) {
    Graph& g = graph();
    const Pending& p = g.pending(t);
    sources_.clear();
    engine_.sources(g, nest_.level(), t, p.loc, sources_);
    std::size_t first = options_list_.size();
    bool awaits = awaits_.applies(g, t);
    if (awaits) awaits_.begin(g, nest_.level(), t);
    for (const Source& source : sources_) {
      if (p.next != Next::kLock && !symmetry_.admits(g, t, source.write)) continue;
      Use use = awaits ? awaits_.use_of(source.write) : Use::kGood;
      if (use != Use::kGood) {
        if (use != Use::kUseless) options_list_.push_back({source.write, Option::kWaits, use == Use::kGuessed});
        if (use != Use::kWaits) left_out_.push_back(source.write);
        continue;
      }
      std::int64_t value = runner_.value(g, p.loc, source.write), written = 0;
      if (p.next == Next::kLock && (value != 0 || !symmetry_.admits(g, t, source.write))) continue;
      bool writes = Machine::modify(p, value, written);
      options_list_.push_back({source.write, writes && !source.free ? Option::kConflict : Option::kSource});
      if (writes && may_fail(t, g.last[t], value) && symmetry_.admits(g, t, source.write, true))
        options_list_.push_back({source.write, Option::kSpurious});
    }
    if (p.next == Next::kLock) {
      std::int32_t holder = runner_.mutex_source(g, p.loc);
      if (runner_.value(g, p.loc, holder) != 0) options_list_.push_back({holder, Option::kSource});
    }
    leave_out(t);
    if (options_list_.size() == first) {
      ++recorder_.findings.dead;
      return false;
    }
    return open(t, first);
  }

  // A read does not take what it would only wait with; but what that conflicts with is found here.
  void leave_out(std::int32_t t) {
    Graph& g = graph();
    bool matters = frames_.size() >= task_->path.size() && runner_.has_conflicts();
    for (std::int32_t source : left_out_) {
      if (!matters) break;
      std::int32_t e = g.append(runner_.next(g, t, source, false));
      runner_.settle(g, e);
      Conflict conflict = races_.push(g, nest_.level(), e);
      if (conflict.bug != Bug::kNone) recorder_.conflict(g, e, conflict, taken_);
      g.pop();
    }
    left_out_.clear();
  }

  // A new write is there, or an update that was given its source: revisits come after going on.
  bool arrived(std::int32_t a) {
    Graph& g = graph();
    awaits_.watch(g, a);
    std::size_t first = options_list_.size();
    bool overslept = Runner::wakes(g, a) || awaits_.oversleeps(g, nest_.level(), a);
    if (!g[a].conflict) options_list_.push_back({a, Option::kForward, overslept});
    find_revisits(a);
    if (budget_.spent()) {  // perhaps not all were found: this node is for the one who goes on
      options_list_.resize(first);
      return true;
    }
    if (options_list_.size() == first) return false;
    return open(a, first);
  }

  // Takes the first of some options, or the one that the task says. A single one needs no frame.
  bool open(std::int32_t actor, std::size_t first) {
    std::size_t count = options_list_.size() - first;
    if (count == 1) {
      Option only = options_list_.back();
      options_list_.pop_back();
      return take(actor, only);
    }
    ++recorder_.findings.graphs;
    Frame frame{nest_.mark(), actor, first, options_list_.size(), first, mass_};
    if (frames_.size() < task_->path.size()) {
      auto said = static_cast<std::size_t>(task_->path[frames_.size()]);
      if (said >= count) throw NoSuchPath{};
      frame.cursor += said;
    }
    frames_.push_back(frame);
    taken_.push_back(static_cast<std::int32_t>(frame.cursor - first));
    mass_ /= static_cast<double>(count);
    return take(actor, options_list_[frame.cursor]);
  }

  bool take(std::int32_t actor, Option option) {
    if (option.skipped) return false;
    switch (option.kind) {
      case Option::kForward:
        return true;
      case Option::kRevisit:
      case Option::kSpuriousRevisit:
      case Option::kWaitingRevisit:
        return revisit(option.event, actor, option.kind);
      default:
        break;
    }
    Event event = runner_.next(graph(), actor, option.event, option.kind == Option::kSpurious);
    if (option.kind == Option::kConflict) {
      event.op = kRead;
      event.conflict = true;
      return arrived(add_quietly(event));
    }
    if (option.kind == Option::kWaits) {
      only_read(event);
      return !awaits_.is_overslept(graph(), nest_.level(), add(event));
    }
    std::int32_t e = add(event);
    return event.op != kUpdate || arrived(e);
  }

  // An update that waits writes what it has read: nobody can tell it from a read.
  static void only_read(Event& event) {
    event.op = kRead;
    event.written = 0;
  }

  // The next option of the innermost frame that has one; false if all is done.
  bool backtrack() {
    while (!frames_.empty()) {
      Frame& f = frames_.back();
      nest_.back_to(f.base);
      bool free = static_cast<std::int32_t>(frames_.size()) > task_->floor;
      if (free && ++f.cursor < f.last) {
        taken_.back() = static_cast<std::int32_t>(f.cursor - f.first);
        mass_ = f.mass / static_cast<double>(f.last - f.first);
        if (take(f.actor, options_list_[f.cursor])) return true;
        recorder_.findings.explored += mass_;
        continue;
      }
      options_list_.resize(f.first);
      mass_ = f.mass;
      frames_.pop_back();
      taken_.pop_back();
    }
    return false;
  }

  std::int32_t add_quietly(const Event& event) {
    Graph& g = graph();
    std::int32_t e = g.append(event);
    engine_.push(g, nest_.level(), e);
    return e;
  }

  std::int32_t add(const Event& event) {
    std::int32_t e = add_quietly(event);
    settle(e);
    return e;
  }

  void settle(std::int32_t e) {
    Graph& g = graph();
    runner_.settle(g, e);
    if (g[e].op == kJoinOp) symmetry_.joined(g, e);
    bool replaying = frames_.size() < task_->path.size();
    Conflict conflict = races_.push(g, nest_.level(), e);
    if (replaying) return;
    if (conflict.bug != Bug::kNone) recorder_.conflict(g, e, conflict, taken_);
    recorder_.examine(g, g[e].thread, taken_);
    if (g[e].op == kSpawnOp) recorder_.examine(g, g[e].other, taken_);
  }

  // A read that takes a's write; a weak compare-exchange also fails with it.
  void offer(std::int32_t r, std::int32_t a, Use use) {
    const Graph& g = graph();
    if (use != Use::kGood) {
      options_list_.push_back({r, Option::kWaitingRevisit, use == Use::kGuessed});
      return;
    }
    options_list_.push_back({r, Option::kRevisit});
    std::int64_t value = g[a].written, written = 0;
    if (Machine::modify(g.pending_before(r), value, written) && may_fail(g[r].thread, g[r].prev, value))
      options_list_.push_back({r, Option::kSpuriousRevisit});
  }

  // Whether what a thread does after an event also fails for no reason, and that is more than another turn of a loop.
  bool may_fail(std::int32_t t, std::int32_t after, std::int64_t value) {
    return options_.spurious && runner_.may_fail(graph(), t, after, value, recorder_.findings.cut_loops);
  }

  // The reads of a's location that take a's write when they are revisited.
  void find_revisits(std::int32_t a) {
    const Graph& g = graph();
    const Clock* prefix = symmetry_.prefix(g, a);
    prefix_.assign(prefix, prefix + g.stride);
    Cut cut{prefix_.data(), a};
    candidates_.clear();
    g.each_last_of(g[a].loc, [&](std::int32_t r, std::int32_t) {
      for (; r >= 0 && !g.before(r, cut.prefix); r = g[r].same)
        if (g[r].reads()) candidates_.push_back(r);
    });
    if (candidates_.size() > 1) std::sort(candidates_.begin(), candidates_.end(), std::greater<>());
    for (std::int32_t r : candidates_) {
      if (!budget_.spend(static_cast<std::uint64_t>(g.size() - r) / 16)) return;
      std::int32_t level = nest_.level();
      Use use = awaits_.applied(g, r) ? awaits_.use_of_revisit(g, level, r, cut) : Use::kGood;
      if (use != Use::kUseless && revisits_.accept(r, cut)) offer(r, a, use);
    }
  }

  // The graph in which r reads from a, without what was added after r and is not before a.
  bool revisit(std::int32_t r, std::int32_t a, Option::Kind kind) {
    const Graph& g = graph();
    const Clock* prefix = symmetry_.prefix(g, a);
    keep_.assign(static_cast<std::size_t>(g.size()), true);
    for (std::int32_t e = r + 1; e < g.size(); ++e) keep_[e] = g.before(e, prefix);
    bool was_conflict = g[a].conflict;
    nest_.restrict_to(keep_, r, r);
    r = nest_.renamed(r);
    a = nest_.renamed(a);
    Graph& h = graph();
    std::int32_t level = nest_.level();
    if (was_conflict) {
      h[a].conflict = false;
      runner_.read_from(h, h[a], h.pending_before(a), h[a].rf, false);
    }
    Event& v = h[r];
    v.conflict = false;
    runner_.read_from(h, v, h.pending_before(r), a, kind == Option::kSpuriousRevisit);
    if (kind == Option::kWaitingRevisit) only_read(v);
    h.set_clock(r);
    if (a > r) h.backward.push_back(r);
    bool updates = v.op == kUpdate;
    if (updates) v.op = kRead;
    if (!nest_.load(2)) return false;
    nest_.load_races();
    if (was_conflict) settle(a);
    if (updates) {
      // As an update, too? If not, it still offers its write.
      engine_.pop(h, level, r);
      v.op = kUpdate;
      if (!engine_.try_push(h, level, r)) {
        v.op = kRead;
        v.conflict = true;
        engine_.push(h, level, r);
        return arrived(r);
      }
    }
    settle(r);
    return updates ? arrived(r) : !awaits_.is_overslept(h, nest_.level(), r);
  }

  std::vector<Task> remaining() const {
    if (frames_.size() < task_->path.size()) return {*task_};  // it was not yet where its work begins
    std::vector<Task> tasks;
    for (std::size_t i = static_cast<std::size_t>(task_->floor); i < frames_.size(); ++i) {
      const Frame& f = frames_[i];
      for (std::size_t c = f.cursor + 1; c < f.last; ++c) {
        Task task{{taken_.begin(), taken_.begin() + static_cast<std::ptrdiff_t>(i)}, static_cast<std::int32_t>(i) + 1};
        task.path.push_back(static_cast<std::int32_t>(c - f.first));
        tasks.push_back(std::move(task));
      }
    }
    tasks.push_back({taken_, static_cast<std::int32_t>(taken_.size())});
    return tasks;
  }

  Runner& runner_;
  Consistency& engine_;
  Races& races_;
  Recorder& recorder_;
  Budget& budget_;
  StrategyOptions options_;
  Awaits<Consistency> awaits_;
  Nest<Consistency> nest_;
  Symmetry symmetry_;
  Revisits<Consistency> revisits_;
  Runner::ChancesOf chances_ = [this](std::int32_t t) { return awaits_.chances(graph(), nest_.level(), t); };
  const Task* task_ = nullptr;
  std::vector<Frame> frames_;
  std::vector<std::int32_t> taken_;
  std::vector<Option> options_list_;
  std::vector<Source> sources_;
  std::vector<std::int32_t> left_out_;
  std::vector<bool> keep_;
  std::vector<Clock> prefix_;             // of the write that is offered,
  std::vector<std::int32_t> candidates_;  // and the reads that do not know of it, the last one first
  double mass_ = 1;
};

}  // namespace porf::explore
