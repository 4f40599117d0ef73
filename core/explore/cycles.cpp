#include "explore/cycles.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "explore/early_writes.hpp"
#include "explore/evaluation.hpp"
#include "explore/recorder.hpp"
#include "explore/runner.hpp"
#include "relations/engine.hpp"

namespace porf::explore {

namespace {

class Cycles {
 public:
  using Values = std::vector<std::set<std::int64_t>>;  // location

  Cycles(Runner& runner, EarlyWrites& early, Evaluation& evaluation, Recorder& recorder, Budget& budget,
         const Request& request, const std::set<std::int32_t>& foreseeing, const Values& values, Values& written)
      : runner_(runner),
        early_(early),
        evaluation_(evaluation),
        recorder_(recorder),
        budget_(budget),
        request_(request),
        foreseeing_(foreseeing),
        values_(values),
        written_(written),
        graph_(runner.fresh()),
        waits_(static_cast<std::size_t>(graph_.stride), -1) {}

  // False if not all was explored.
  bool explore() {
    visit();
    return !stopped_;
  }

  std::uint64_t unjudged() const { return unjudged_; }
  // The most writes of one graph.
  std::size_t most_writes() const { return most_writes_; }
  // What there is cannot be explored here.
  bool left_open() const { return left_open_; }

 private:
  static constexpr std::int32_t kMostEvents = 2000;  // a few calls deep each

  void leave_open() {
    left_open_ = stopped_ = true;
    ++unjudged_;
  }

  bool stops() {
    if (!stopped_)
      stopped_ = !budget_.spend(1 + static_cast<std::uint64_t>(graph_.size()) / 16) ||
                 !budget_.hold(recorder_.held()) || recorder_.must_stop() ||
                 recorder_.at_limit(request_.allowance.limit);
    return stopped_;
  }

  void visit() {
    if (stops()) return;
    if (graph_.size() >= kMostEvents) return leave_open();
    const std::int32_t t = choose();
    if (t < 0) return end();
    const Pending p = graph_.pending(t);
    if (is_read(p.next)) return read(t, p);
    const std::int64_t options = p.next == Next::kChoose ? p.value - p.expected + 1 : 1;
    for (std::int64_t n = 0; n < options; ++n)
      if (n == 0 || !p.weak || may_fail(t, p.expected + n))
        add(runner_.next(graph_, t, p.next == Next::kChoose ? static_cast<std::int32_t>(n) : kNotRead, false));
  }

  // What does not read comes first, then reads, but those that wait for a write that has not arrived.
  std::int32_t choose() const {
    std::int32_t reader = -1;
    for (std::int32_t t : runner_.by_rank()) {
      if (!graph_.exists[t]) continue;
      const Pending& p = graph_.pending(t);
      if (p.next >= Next::kEnded || p.next == Next::kBarrier) continue;
      if (is_read(p.next)) {
        if (reader < 0 && (waits_[t] < 0 || arrived(p.loc, waits_[t]))) reader = t;
      } else if (p.next != Next::kJoin || graph_.pending(static_cast<std::int32_t>(p.value)).next == Next::kEnded) {
        return t;
      }
    }
    return reader;
  }

  // Whether there is a write of a location that came after so many events.
  bool arrived(std::int32_t loc, std::int32_t size) const {
    for (std::int32_t w = graph_.last_at(loc); w >= size; w = graph_[w].at)
      if (graph_[w].writes()) return true;
    return false;
  }

  void read(std::int32_t t, const Pending& p) {
    if (!runner_.memory().rivals(p.loc).empty()) return leave_open();
    const std::int32_t since = waits_[t];
    waits_[t] = -1;
    std::vector<std::int32_t> sources;
    for (std::int32_t w = graph_.last_at(p.loc); w >= std::max(since, 0); w = graph_[w].at)
      if (graph_[w].writes() && takes(p, w)) sources.push_back(w);
    if (since < 0 && takes(p, kInitial)) sources.push_back(kInitial);
    const bool waited = since >= 0 && foreseeing_.contains(p.pc);
    if (waited) waited_.push_back(graph_.size());
    for (std::int32_t w : sources) {
      add(runner_.next(graph_, t, w, false));
      if (fails(t, p, runner_.value(graph_, p.loc, w))) add(runner_.next(graph_, t, w, true));
    }
    if (waited) waited_.pop_back();
    if (since < 0 && p.next != Next::kLock) foresee(t, p);
    waits_[t] = graph_.size();
    visit();
    waits_[t] = since;
  }

  // A lock takes a mutex that is free.
  bool takes(const Pending& p, std::int32_t write) const {
    return p.next != Next::kLock || runner_.value(graph_, p.loc, write) == 0;
  }

  void foresee(std::int32_t t, const Pending& p) {
    const auto loc = static_cast<std::size_t>(p.loc);
    if (loc >= values_.size() || !foreseeing_.contains(p.pc)) return;
    for (std::int64_t value : values_[loc]) {
      const std::int32_t e = graph_.size();
      open_.push_back(e);
      foreseen_.push_back(e);
      for (bool failing : {false, true}) {
        if (failing && !fails(t, p, value)) continue;
        Event event = runner_.next(graph_, t, kInitial, false);
        runner_.read_value(event, p, value, failing);
        event.rf = kNotRead;
        add(event);
      }
      foreseen_.pop_back();
      open_.pop_back();
    }
  }

  bool may_fail(std::int32_t t, std::int64_t value) {
    return request_.settings.spurious &&
           runner_.may_fail(graph_, t, graph_.last[t], value, recorder_.findings.cut_loops);
  }

  bool fails(std::int32_t t, const Pending& p, std::int64_t value) {
    std::int64_t written = 0;
    return p.weak && Machine::modify(p, value, written) && may_fail(t, value);
  }

  // Goes on with one event more, if that is consistent.
  void add(const Event& event) {
    if (stopped_) return;
    const std::int32_t e = graph_.append(event);
    runner_.settle(graph_, e);
    const Witness before = witness_;
    place(e);
    if (is_hidden(event) || consistent(e)) {
      gather();
      if (graph_[e].writes())
        hand_out(e, 0);
      else
        visit();
    }
    witness_ = before;
    graph_.pop();
  }

  // A write has arrived, which may be what open reads have foreseen.
  void hand_out(std::int32_t write, std::size_t from) {
    for (std::size_t n = from; n < open_.size(); ++n) {
      const std::int32_t r = open_[n];
      if (r == write || graph_[r].loc != graph_[write].loc || graph_[r].read != graph_[write].written) continue;
      const Witness before = witness_;
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(n));
      graph_[r].rf = write;
      if (consistent(r)) {
        gather();
        hand_out(write, n);
      }
      graph_[r].rf = kNotRead;
      open_.insert(open_.begin() + static_cast<std::ptrdiff_t>(n), r);
      witness_ = before;
    }
    visit();
  }

  // Notes the values that were written, but those that were made of what was foreseen and is not there yet: if that
  // never comes, nor do they.
  void gather() {
    std::size_t writes = 0;
    for (std::int32_t e = 0; e < graph_.size(); ++e) {
      const Event& v = graph_[e];
      if (!v.writes() || v.loc < 0) continue;
      ++writes;
      const auto loc = static_cast<std::size_t>(v.loc);
      if (loc >= written_.size()) written_.resize(loc + 1);
      if (written_[loc].contains(v.written) || runner_.memory().unset().has(v.written)) continue;
      checked_.assign(static_cast<std::size_t>(graph_.size()), 0);
      if (is_made(e)) written_[loc].insert(v.written);
    }
    most_writes_ = std::max(most_writes_, writes);
  }

  // Whether everything that a write, or the value of a read, depends on has a source.
  bool is_made(std::int32_t e) {
    char& checked = checked_[static_cast<std::size_t>(e)];
    if (checked) return true;
    checked = 1;
    const Event& v = graph_[e];
    if (v.reads() && (v.rf == kNotRead || (v.rf >= 0 && !is_made(v.rf)))) return false;
    bool made = true;
    each_dependency(graph_, v, e, [&](DependencyKind, std::int32_t read) { made = made && is_made(read); });
    return made;
  }

  void place(std::int32_t e) {
    const Event& v = graph_[e];
    if (!v.writes()) return;
    if (static_cast<std::size_t>(v.loc) >= witness_.size()) witness_.resize(static_cast<std::size_t>(v.loc) + 1);
    auto& line = witness_[static_cast<std::size_t>(v.loc)];
    auto after = v.op == kUpdate && v.rf >= 0 ? std::find(line.begin(), line.end(), v.rf) : line.end();
    if (after != line.end()) ++after;
    line.insert(v.op == kUpdate && v.rf == kInitial ? line.begin() : after, e);
  }

  bool consistent(std::int32_t e) {
    const auto locations = static_cast<std::size_t>(runner_.memory().size());
    if (witness_.size() < locations) witness_.resize(locations);
    evaluation_.load(graph_);
    return evaluation_.consistent(witness_, e);
  }

  // Nothing can go on. The execution counts if it is one, each source that was foreseen comes after the read, and none
  // that was waited for although it might have been foreseen.
  void end() {
    for (std::int32_t t = 0; t < graph_.stride; ++t)
      unjudged_ += graph_.exists[t] && graph_.pending(t).next == Next::kBarrier;
    if (foreseen_.empty() || !open_.empty()) return;
    bool locked = false;
    for (std::int32_t t = 0; t < graph_.stride; ++t) {
      if (!graph_.exists[t]) continue;
      const Pending& p = graph_.pending(t);
      if (p.next == Next::kLock && runner_.held(graph_, p.loc))
        locked = true;
      else if (is_read(p.next))
        return;  // what it waits for never came
    }
    for (std::int32_t r : foreseen_)
      if (!comes_after(graph_[r].rf, r)) return;
    for (std::int32_t r : waited_)
      if (comes_after(graph_[r].rf, r)) return;
    if (!keeps_order()) return;
    if (locked || recorder_.asks_forever(graph_)) ++unjudged_;
    if (locked) return;
    for (std::int32_t t = 0; t < graph_.stride; ++t)
      if (graph_.exists[t]) recorder_.examine(graph_, t, path_);
    if (!request_.settings.ordered) return recorder_.leaf(graph_, path_, false);
    std::vector<WriteOrder> all;
    std::uint64_t count = 0;
    evaluation_.load(graph_);
    evaluation_.orders(witness_, [&](const Witness& witness) {
      ++count;
      if (!request_.settings.collect) return;
      all.emplace_back();
      for (const auto& line : witness) all.back().insert(all.back().end(), line.begin(), line.end());
    });
    recorder_.leaf(graph_, path_, false, 1, count, request_.settings.collect ? &all : nullptr);
  }

  // By program order and reads-from.
  bool comes_after(std::int32_t e, std::int32_t r) {
    std::vector<char> seen(static_cast<std::size_t>(graph_.size()), 0);
    std::vector<std::int32_t> waiting{e};
    auto follow = [&](std::int32_t before) {
      if (before < 0 || seen[static_cast<std::size_t>(before)]) return;
      seen[static_cast<std::size_t>(before)] = 1;
      waiting.push_back(before);
    };
    while (!waiting.empty()) {
      const Event& v = graph_[waiting.back()];
      if (waiting.back() == r) return true;
      waiting.pop_back();
      follow(graph_.predecessor(v));
      follow(v.rf);
      graph_.each_awaited(v, follow);
    }
    return false;
  }

  // Whether no cycle leads from a read to a write of its thread by what is kept, and on to a read of another: models
  // have none, but what comes before the start or the end of a thread is also seen before what comes after it, and
  // control is kept under all models.
  bool keeps_order() {
    std::vector<std::vector<std::int32_t>> before(static_cast<std::size_t>(graph_.size()));  // write -> writes
    for (std::int32_t w = 0; w < graph_.size(); ++w) {
      if (!graph_[w].writes() || graph_[w].loc < 0) continue;
      auto take = [&](std::int32_t read) {
        const std::int32_t source = graph_[read].rf;
        if (source >= 0 && graph_[source].thread != graph_[read].thread)
          before[static_cast<std::size_t>(w)].push_back(source);
      };
      if (graph_[w].op == kUpdate) take(w);
      early_.each_before(graph_, w, [&](std::int32_t read, bool kept) {
        if (kept) take(read);
      });
    }
    std::vector<char> state(before.size(), 0);
    auto acyclic = [&](auto&& self, std::int32_t w) -> bool {
      char& at = state[static_cast<std::size_t>(w)];
      if (at != 0) return at == 2;
      at = 1;
      for (std::int32_t source : before[static_cast<std::size_t>(w)])
        if (!self(self, source)) return false;
      at = 2;
      return true;
    };
    for (std::int32_t w = 0; w < graph_.size(); ++w)
      if (!acyclic(acyclic, w)) return false;
    return true;
  }

  Runner& runner_;
  EarlyWrites& early_;
  Evaluation& evaluation_;
  Recorder& recorder_;
  Budget& budget_;
  const Request& request_;
  const std::set<std::int32_t>& foreseeing_;  // instructions of reads that may foresee
  const Values& values_;                      // that locations may get
  Values& written_;                           // those that they got
  Graph graph_;
  Witness witness_;
  std::vector<std::int32_t> waits_;  // thread -> how many events there were when it began to wait with its read, or -1
  std::vector<std::int32_t> open_, foreseen_;  // reads without a source, and all that had none
  std::vector<std::int32_t> waited_;           // reads that waited and might have foreseen
  std::vector<std::int32_t> path_{-1};         // no task leads here
  std::vector<char> checked_;                  // scratch
  std::uint64_t unjudged_ = 0;
  std::size_t most_writes_ = 0;
  bool stopped_ = false, left_open_ = false;
};

}  // namespace

// What reads foresee may give rise to further values, and to further early writes: round after round. A value of an
// execution comes from somewhere along a chain of its writes, so as many rounds as it has writes are enough.
Result explore_cycles(const Request& request, const Sizes& sizes) {
  const Settings& settings = request.settings;
  Runner runner(request.program, sizes.threads, settings.unroll, sizes.stack, sizes.gaps, Sync::kNone, false, nullptr,
                true, settings.kept & ~kSequences);
  EarlyWrites& early = *runner.early();
  Budget budget(request.allowance.seconds, 0, request.allowance.bytes,
                [&](std::uint64_t) { return request.poll(Findings{}); });
  Evaluation evaluation(*settings.file, settings.two_events, budget);
  Result result;
  std::set<std::int32_t> foreseeing(settings.foreseeing.begin(), settings.foreseeing.end());
  Cycles::Values values;
  for (std::size_t round = 0;; ++round) {
    Recorder recorder(runner, settings);
    const std::size_t known = early.size();
    Cycles::Values written = values;
    Cycles cycles(runner, early, evaluation, recorder, budget, request, foreseeing, values, written);
    bool whole = false;
    try {
      whole = cycles.explore();
    } catch (const relations::Spent&) {
    }
    const bool last = (early.size() == known && written == values) || round > cycles.most_writes();
    if (whole && !last) {
      values = std::move(written);
      for (std::int32_t pc : early.found().reads_of_cycles()) foreseeing.insert(pc);
      continue;
    }
    result.findings = std::move(recorder.findings);
    result.unjudged = cycles.unjudged();
    if (!whole && !cycles.left_open() && !recorder.must_stop()) result.remaining = request.tasks;
    break;
  }
  result.limit = budget.limit();
  return result;
}

}  // namespace porf::explore
