// Runs the threads as far as they go: a thread stops at a read whose writer has not run, and is woken when it has.
#include "coherence/schedule.hpp"

#include <algorithm>
#include <limits>

namespace porf::coherence {
namespace {

constexpr std::int32_t kNever = std::numeric_limits<std::int32_t>::max();

class Runner {
 public:
  Runner(const Execution& x, const Ints& index)
      : x_(x),
        index_(index),
        start_(x.threads + 1, 0),
        done_(x.threads, 0),
        wake_(x.threads, kNever),
        waiting_(x.threads) {
    for (std::int32_t t : x.thread) ++start_[t + 1];
    for (std::int32_t t = 0; t < x.threads; ++t) start_[t + 1] += start_[t];
    rows_.resize(x.size());
    for (std::int32_t e = 0; e < x.size(); ++e) rows_[start_[x.thread[e]] + index[e] - 1] = e;
  }

  // Fills `order`; false when some events can never run.
  bool run(Ints& order, Budget& budget) {
    Ints runnable;
    for (std::int32_t t = x_.threads; t-- > 0;) runnable.push_back(t);
    order.reserve(x_.size());
    while (!runnable.empty() && !budget.spent()) {
      std::int32_t t = runnable.back();
      runnable.pop_back();
      advance(t, order, runnable, budget);
    }
    return static_cast<std::int32_t>(order.size()) == x_.size();
  }

  // Each stuck thread waits for one other: following them must come round.
  Ints cycle() const {
    std::int32_t t = 0;
    while (done_[t] == start_[t + 1] - start_[t]) ++t;
    for (std::int32_t i = 0; i < x_.threads; ++i) t = x_.thread[x_.rf[blocked(t)]];
    Ints pairs;
    std::int32_t first = t;
    do {
      std::int32_t reader = blocked(t);
      std::int32_t writer = x_.rf[reader];
      pairs.push_back(writer);
      pairs.push_back(reader);
      t = x_.thread[writer];
    } while (t != first);
    // Collected against the arrows: turn the pairs round.
    Ints turned;
    for (std::size_t i = pairs.size(); i > 0; i -= 2) {
      turned.push_back(pairs[i - 2]);
      turned.push_back(pairs[i - 1]);
    }
    return turned;
  }

 private:
  std::int32_t blocked(std::int32_t t) const { return rows_[start_[t] + done_[t]]; }
  bool has_run(std::int32_t e) const { return index_[e] <= done_[x_.thread[e]]; }

  void advance(std::int32_t t, Ints& order, Ints& runnable, Budget& budget) {
    std::int32_t length = start_[t + 1] - start_[t];
    while (done_[t] < length) {
      std::int32_t e = blocked(t);
      if (x_.reads(e) && x_.rf[e] >= 0 && !has_run(x_.rf[e])) {
        std::int32_t u = x_.thread[x_.rf[e]];
        waiting_[u].push_back(t);
        wake_[u] = std::min(wake_[u], index_[x_.rf[e]]);
        return;
      }
      order.push_back(e);
      ++done_[t];
      if (done_[t] >= wake_[t]) wake(t, runnable);
      if (!budget.spend()) return;
    }
  }

  void wake(std::int32_t t, Ints& runnable) {
    wake_[t] = kNever;
    std::size_t kept = 0;
    for (std::int32_t u : waiting_[t]) {
      std::int32_t writer = x_.rf[blocked(u)];
      if (has_run(writer)) {
        runnable.push_back(u);
      } else {
        wake_[t] = std::min(wake_[t], index_[writer]);
        waiting_[t][kept++] = u;
      }
    }
    waiting_[t].resize(kept);
  }

  const Execution& x_;
  const Ints& index_;
  Ints start_, rows_, done_, wake_;
  std::vector<Ints> waiting_;  // per thread: the threads that wait for it
};

}  // namespace

Schedule make_schedule(const Execution& x, Budget& budget) {
  Schedule schedule;
  schedule.index.resize(x.size());
  Ints length(x.threads, 0);
  bool in_order = true;
  for (std::int32_t e = 0; e < x.size(); ++e) {
    schedule.index[e] = ++length[x.thread[e]];
    in_order &= !x.reads(e) || x.rf[e] < e;
  }
  if (in_order) return schedule;
  Runner runner(x, schedule.index);
  if (!runner.run(schedule.order, budget) && !budget.spent()) schedule.cycle = runner.cycle();
  return schedule;
}

}  // namespace porf::coherence
