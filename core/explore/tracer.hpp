// Exploration with schedules: Algorithms 1 to 3 of "Optimal Stateless Model Checking under the
// Release-Acquire Semantics" (Abdulla, Atig, Jonsson, Ngo, OOPSLA 2018), for any engine, with updates and
// mutexes. Each class of (po, rf) once.
//
// An event always comes after what it reads from. A read takes what is there; a write that arrives later
// leaves it a schedule: what the write needs, the write, and the read of it. All that extends the graph
// before a read is divided by the source of that read and the (po | rf)-prefix of that source, and each part
// has one schedule, so nothing is met twice. Of a mutex that is free, it is divided by who takes it next:
// there the schedule ends with the lock that does, and the lock that came first just waits, without an event.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "budget.hpp"
#include "explore/engine.hpp"
#include "explore/leaf.hpp"
#include "explore/races.hpp"
#include "explore/recorder.hpp"
#include "explore/runner.hpp"
#include "explore/schedules.hpp"
#include "explore/trace.hpp"
#include "relations/engine.hpp"

namespace porf::explore {

template <Engine Consistency>
class Tracer {
 public:
  Tracer(Runner& runner, Consistency& engine, Races& races, Recorder& recorder, Budget& budget, StrategyOptions options)
      : runner_(runner),
        engine_(engine),
        races_(races),
        recorder_(recorder),
        budget_(budget),
        options_(options),
        trace_(runner, options.spurious),
        graph_(trace_.graph()) {}

  // Explores everything, or runs the one execution that the path of a task tells. What a budget or a limit
  // leaves cannot be told from what is done: it is returned as a task that is everything.
  std::vector<Task> explore(const Task& task) {
    start();
    try {
      if (!task.path.empty()) {
        replay(task.path);
        return {};
      }
      while (forward()) {
        if (!backtrack()) return {};
        if (recorder_.must_stop() || recorder_.at_limit(options_.limit)) break;
      }
    } catch (const relations::Spent&) {  // in the middle of a check
    }
    return {Task{}};
  }

 private:
  // A place at which a read, or a lock of a free mutex, came next.
  struct Frame {
    std::int32_t base = 0;    // events of the graph
    std::int32_t thread = 0;  // who comes next
    bool mutex = false;
    std::size_t first = 0, last = 0, cursor = 0;  // what can be done at once
    double mass = 0;                              // of what is not begun
    Schedules schedules;
  };

  void start() {
    trace_.clear();
    engine_.clear(0);
    races_.load(0, 0);
    options_list_.clear();
    frames_.clear();
    depth_ = 0;
    held_ = 0;
    mass_ = 1;
    for (std::int32_t t = 0; t < graph_.stride; ++t)
      if (graph_.exists[t]) examine(t);
  }

  // Goes on to a leaf; false if the budget is spent first.
  bool forward() {
    while (true) {
      if (!budget_.spend(1 + static_cast<std::uint64_t>(graph_.size()) / 16) || !budget_.hold(held_ + recorder_.held()))
        return false;
      if (recorder_.must_stop()) return true;
      std::int32_t t = next_thread();
      if (t < 0) {
        leaf();
        recorder_.findings.explored += mass_;
        return true;
      }
      if (is_read(graph_.pending(t).next)) {
        if (!open(t)) return true;
      } else {
        perform({t, kNotRead, false}, -1);
      }
    }
  }

  // -1 if nobody goes on. A lock of a mutex that is held is no event here.
  std::int32_t next_thread() const {
    std::int32_t t = runner_.choose(graph_);
    if (t < 0) return -1;
    const Pending& p = graph_.pending(t);
    return p.next == Next::kLock && runner_.held(graph_, p.loc) ? -1 : t;
  }

  // A read comes next: what it can read from is done one by one.
  bool open(std::int32_t t) {
    ++recorder_.findings.graphs;
    if (static_cast<std::size_t>(depth_) == frames_.size()) frames_.emplace_back();
    Frame& f = frames_[depth_];
    f.base = graph_.size();
    f.thread = t;
    f.mutex = graph_.pending(t).next == Next::kLock;
    f.first = f.cursor = options_list_.size();
    f.mass = mass_;
    ++depth_;
    if (f.mutex)
      find_lockers(t);
    else
      find_sources(t);
    f.last = options_list_.size();
    if (f.first == f.last) {
      ++recorder_.findings.dead;
      close();
      return false;
    }
    next_option(f);
    return true;
  }

  // The sources of a read. An update cannot take what another one took; but without that other one it could,
  // so its write is declared.
  void find_sources(std::int32_t t) {
    const Pending p = graph_.pending(t);
    sources_.clear();
    engine_.sources(graph_, 0, t, p.loc, sources_);
    for (const Source& source : sources_) {
      std::int64_t value = runner_.value(graph_, p.loc, source.write), written = 0;
      bool writes = Machine::modify(p, value, written);
      if (writes && !source.free)
        offer(t, source.write);
      else
        options_list_.push_back({t, source.write, false});
      bool fails = writes && options_.spurious &&
                   runner_.may_fail(graph_, t, graph_.last[t], value, recorder_.findings.cut_loops);
      if (fails) options_list_.push_back({t, source.write, true});
    }
  }

  // Who may take a free mutex, as far as they are there: first the thread that comes next.
  void find_lockers(std::int32_t first) {
    std::int32_t loc = graph_.pending(first).loc, source = runner_.mutex_source(graph_, loc);
    options_list_.push_back({first, source, false});
    for (std::int32_t t = 0; t < graph_.stride; ++t)
      if (t != first && graph_.exists[t] && locks(t, loc)) options_list_.push_back({t, source, false});
  }

  // Only the lock that came first lets others be found that take the mutex before it.
  void next_option(Frame& f) {
    share(f);
    bool swappable = !f.mutex || f.cursor == f.first;
    Step step = options_list_[f.cursor++];
    perform(step, swappable ? depth_ - 1 : -1);
  }

  void share(Frame& f) {
    mass_ = f.mass / static_cast<double>(f.last - f.cursor + f.schedules.waiting() + 1);
    f.mass -= mass_;
  }

  // Back to the innermost frame that has something to do; false if all is done.
  bool backtrack() {
    while (depth_ > 0) {
      Frame& f = frames_[depth_ - 1];
      back_to(f.base);
      if (f.cursor < f.last) {
        next_option(f);
        return true;
      }
      if (f.schedules.waiting() > 0) {
        share(f);
        f.schedules.take(schedule_);
        if (run_schedule(f)) return true;
        recorder_.findings.explored += mass_;
        continue;
      }
      close();
    }
    return false;
  }

  void back_to(std::int32_t size) {
    while (graph_.size() > size) {
      engine_.pop(graph_, 0, graph_.size() - 1);
      trace_.drop();
    }
  }

  void close() {
    Frame& f = frames_[--depth_];
    recorder_.findings.explored += f.mass;
    options_list_.resize(f.first);
    held_ -= f.schedules.bytes();
    f.schedules.clear();
    held_ += f.schedules.bytes();
  }

  // Adds an event that is known to be consistent; if it writes, the write is declared.
  void perform(const Step& step, std::int32_t frame) {
    std::int32_t e = trace_.append(step, frame);
    engine_.push(graph_, 0, e);
    settle(e);
    if (graph_[e].writes()) declare(e);
  }

  // False if what comes out is not consistent. All but the last two events are part of a graph that was.
  bool run_schedule(const Frame& f) {
    std::size_t writer = schedule_.size() - (f.mutex ? 1 : 2);
    for (std::size_t i = 0; i <= writer; ++i) {
      budget_.spend();
      std::int32_t e = trace_.append(schedule_[i], -1);
      if (i < writer) {
        engine_.push(graph_, 0, e);
      } else if (!engine_.try_push(graph_, 0, e)) {
        trace_.drop();
        return false;
      }
      settle(e);
    }
    return f.mutex || read_scheduled();
  }

  // The last read of a schedule. If it is an update that cannot be there as one, it still declares its write.
  bool read_scheduled() {
    std::int32_t e = trace_.append(schedule_.back(), depth_ - 1);
    bool updates = graph_[e].op == kUpdate;
    if (engine_.try_push(graph_, 0, e)) {
      settle(e);
      if (updates) declare(e);
      return true;
    }
    if (updates) {
      graph_[e].op = kRead;
      if (engine_.try_push(graph_, 0, e)) {
        engine_.pop(graph_, 0, e);
        graph_[e].op = kUpdate;
        declare(e);
      }
    }
    trace_.drop();
    return false;
  }

  // Reads that could not know of the last event's write may have it, if all that it needs comes first. And it
  // may take a mutex that another lock took.
  void declare(std::int32_t a) {
    const Graph& g = graph_;
    const Clock* prefix = g.porf(a);
    Digest digest;
    for (std::int32_t r = g.last_at(g[a].loc); r >= 0; r = g[r].at) {
      if (trace_.frame(r) < 0 || r == a || g.before(r, prefix)) continue;
      if (!budget_.spend(static_cast<std::uint64_t>(g.size() - r) / 16)) return;
      Frame& f = frames_[trace_.frame(r)];
      if (f.mutex && g[r].rf != g[a].rf) continue;
      if (digest == Digest{}) digest = trace_.digest(prefix);
      std::size_t bytes = f.schedules.bytes();
      if (f.schedules.insert(digest)) add_schedules(f, r, a);
      held_ += f.schedules.bytes() - bytes;
    }
    budget_.hold(held_);
  }

  void add_schedules(Frame& f, std::int32_t r, std::int32_t a) {
    std::int32_t n = add_needs(f, a);
    if (f.mutex) return;
    f.schedules.add({f.thread, n, false});
    std::int64_t value = graph_[a].written, written = 0;
    if (!options_.spurious || !Machine::modify(graph_.pending_before(r), value, written)) return;
    if (!runner_.may_fail(graph_, graph_[r].thread, graph_[r].prev, value, recorder_.findings.cut_loops)) return;
    add_needs(f, a);
    f.schedules.add({f.thread, n, true});
  }

  // What a needs, and a itself; the number that a will have.
  std::int32_t add_needs(Frame& f, std::int32_t a) {
    const Graph& g = graph_;
    const Clock* prefix = g.porf(a);
    f.schedules.begin();
    renamed_.resize(static_cast<std::size_t>(g.size()));
    std::int32_t n = f.base;
    for (std::int32_t e = f.base; e <= a; ++e) {
      if (!g.before(e, prefix)) continue;
      std::int32_t source = g[e].rf;
      f.schedules.add({g[e].thread, source < f.base ? source : renamed_[source], trace_.fails(e)});
      renamed_[e] = n++;
    }
    return n - 1;
  }

  // An update that cannot take its source here, or a lock that must wait, declares what it would write.
  void offer(std::int32_t t, std::int32_t source) {
    declare(trace_.append({t, source, false}, -1));
    trace_.drop();
  }

  // A thread has come to a lock. It may take what others took that it does not know of.
  void offer_lock(std::int32_t t) {
    if (graph_.pending(t).next != Next::kLock) return;
    std::int32_t before = graph_.last[t] >= 0 ? graph_.last[t] : graph_.begun_by[t];
    for (std::int32_t k = graph_.last_at(graph_.pending(t).loc); k >= 0; k = graph_[k].at)
      if (graph_[k].op == kUpdate && (before < 0 || !graph_.before(k, graph_.porf(before)))) offer(t, graph_[k].rf);
  }

  // A trylock has taken a mutex for which locks wait: they might have taken it first.
  void offer_waiting(std::int32_t e) {
    for (std::int32_t t = 0; t < graph_.stride; ++t)
      if (t != graph_[e].thread && graph_.exists[t] && locks(t, graph_[e].loc)) offer(t, graph_[e].rf);
  }

  bool locks(std::int32_t t, std::int32_t loc) const {
    return graph_.pending(t).next == Next::kLock && graph_.pending(t).loc == loc;
  }

  void settle(std::int32_t e) {
    runner_.settle(graph_, e);
    Conflict conflict = races_.push(graph_, 0, e);
    if (conflict.bug != Bug::kNone) recorder_.conflict(graph_, e, conflict, trace_.path());
    std::int32_t thread = graph_[e].thread, child = graph_[e].op == kSpawnOp ? graph_[e].other : -1;
    examine(thread);
    offer_lock(thread);
    if (graph_[e].role == Role::kTry && graph_[e].op == kUpdate) offer_waiting(e);
    if (child < 0) return;
    examine(child);
    offer_lock(child);
  }

  void examine(std::int32_t t) {
    if (graph_.pending(t).next == Next::kFailed) recorder_.examine(graph_, t, trace_.path());
  }

  // Nobody goes on. Locks that wait become events now, so that it is seen what they wait for.
  void leaf() {
    if (races_.late() != nullptr) record_races(engine_, races_, recorder_, graph_, 0, trace_.path());
    bool ended = true;
    for (std::int32_t t = 0; t < graph_.stride; ++t)
      ended = ended && (!graph_.exists[t] || graph_.pending(t).next == Next::kEnded);
    std::int32_t base = graph_.size();
    const std::vector<std::int32_t>& path = ended ? nowhere_ : trace_.path();
    for (std::int32_t t = 0; !ended && t < graph_.stride; ++t) {
      if (!graph_.exists[t] || graph_.pending(t).next != Next::kLock) continue;
      std::int32_t holder = runner_.mutex_source(graph_, graph_.pending(t).loc);
      std::int32_t e = trace_.append({t, holder, false}, -1);
      engine_.push(graph_, 0, e);
      runner_.settle(graph_, e);
    }
    record_leaf(engine_, recorder_, graph_, 0, path, 1);
    back_to(base);
  }

  void replay(const std::vector<std::int32_t>& path) {
    for (std::size_t i = 0; i + 1 < path.size(); i += 2) {
      Step step = Trace::step(path[i], path[i + 1]);
      if (!trace_.possible(step)) return;
      std::int32_t e = trace_.append(step, -1);
      if (!engine_.try_push(graph_, 0, e)) return;
      settle(e);
    }
    if (next_thread() < 0) leaf();
  }

  Runner& runner_;
  Consistency& engine_;
  Races& races_;
  Recorder& recorder_;
  Budget& budget_;
  StrategyOptions options_;
  Trace trace_;
  Graph& graph_;  // of the trace
  std::deque<Frame> frames_;
  std::int32_t depth_ = 0;
  std::vector<Step> options_list_, schedule_;
  std::vector<Source> sources_;
  std::vector<std::int32_t> renamed_;
  const std::vector<std::int32_t> nowhere_;
  std::size_t held_ = 0;  // bytes
  double mass_ = 1;
};

}  // namespace porf::explore
