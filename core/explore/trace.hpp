// The trace that an exploration with schedules extends and takes back: a graph whose events come after what
// they read from, with what is needed to name a part of it.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/graph.hpp"
#include "explore/runner.hpp"
#include "explore/schedules.hpp"

namespace porf::explore {

class Trace {
 public:
  // `spurious`: weak compare-exchanges may fail for no reason.
  Trace(Runner& runner, bool spurious) : runner_(runner), spurious_(spurious), graph_(runner.fresh()) {}

  Graph& graph() { return graph_; }

  void clear() {
    graph_ = runner_.fresh();
    of_thread_.assign(static_cast<std::size_t>(graph_.stride), {});
    frames_.clear();
    digests_.clear();
  }

  // Adds the next event of a thread. `frame` takes the schedules of writes that it may be swapped with; -1 if
  // it may not.
  std::int32_t append(const Step& step, std::int32_t frame) {
    std::int32_t e = graph_.append(runner_.next(graph_, step.thread, step.source, step.fails));
    const Event& v = graph_[e];
    bool written = v.rf >= 0;
    frames_.push_back(frame);
    of_thread_[v.thread].push_back(e);
    digests_.push_back(v.prev >= 0 ? digests_[v.prev] : Digest{});
    digests_.back() += observation(v.thread, v.index, written ? graph_[v.rf].thread : -1,
                                   written ? graph_[v.rf].index : v.rf, step.fails);
    return e;
  }

  // Takes back the event that was added last.
  void drop() {
    of_thread_[graph_[graph_.size() - 1].thread].pop_back();
    frames_.pop_back();
    digests_.pop_back();
    graph_.pop();
  }

  std::int32_t frame(std::int32_t e) const { return frames_[e]; }

  // Of all observations before an event with this clock, and its own.
  Digest digest(const Clock* clock) const {
    Digest sum;
    for (std::int32_t t = 0; t < graph_.stride; ++t)
      if (clock[t] > 0) sum += digests_[of_thread_[t][clock[t] - 1]];
    return sum;
  }

  // Whether it is a weak compare-exchange that failed although it need not have.
  bool fails(std::int32_t e) const {
    if (!spurious_ || graph_[e].op != kRead || !graph_.pending_before(e).weak) return false;
    std::int64_t written = 0;
    return Machine::modify(graph_.pending_before(e), graph_[e].read, written);
  }

  // All steps as numbers, two a step, and a step again.
  const std::vector<std::int32_t>& path() {
    path_.clear();
    for (std::int32_t e = 0; e < graph_.size(); ++e) {
      path_.push_back(graph_[e].thread << 1 | static_cast<std::int32_t>(fails(e)));
      path_.push_back(graph_[e].rf - kNotRead);
    }
    return path_;
  }
  static Step step(std::int32_t first, std::int32_t second) {
    return {first >> 1, second + kNotRead, (first & 1) != 0};
  }

  // Whether a step from outside is one that the thread can take.
  bool possible(const Step& step) const {
    if (step.thread < 0 || step.thread >= graph_.stride || !graph_.exists[step.thread]) return false;
    const Pending& p = graph_.pending(step.thread);
    if (p.next == Next::kJoin && graph_.pending(static_cast<std::int32_t>(p.value)).next != Next::kEnded) return false;
    if (!is_read(p.next)) return p.next < Next::kEnded && step.source == kNotRead;
    if (step.source < kInitial || step.source >= graph_.size()) return false;
    if (step.source >= 0 && (!graph_[step.source].writes() || graph_[step.source].loc != p.loc)) return false;
    return p.next != Next::kLock || runner_.value(graph_, p.loc, step.source) == 0;
  }

 private:
  Runner& runner_;
  bool spurious_;
  Graph graph_;
  std::vector<std::vector<std::int32_t>> of_thread_;  // thread -> its events
  std::vector<std::int32_t> frames_;                  // of each event
  std::vector<Digest> digests_;                       // event -> of the events of its thread up to it
  std::vector<std::int32_t> path_;
};

}  // namespace porf::explore
