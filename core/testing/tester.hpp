// One run after the other: threads take turns on a graph that only grows, each event is settled as exploration settles
// it, and a read takes one of the writes that the engine allows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "budget.hpp"
#include "explore/engine.hpp"
#include "explore/recorder.hpp"
#include "explore/runner.hpp"
#include "explore/work.hpp"
#include "testing/choices.hpp"
#include "testing/coverage.hpp"
#include "testing/keepers.hpp"

namespace porf::testing {

using explore::Bug;
using explore::Event;
using explore::Graph;
using explore::Next;
using explore::Pending;

// What became of a run: it has ended, the budget was spent before, or it is longer than its keeper is made for.
enum class Ran : std::uint8_t { kToItsEnd, kNotYet, kTooLong };

template <typename Keeper>
class Tester {
 public:
  // `longest`: events that a run may have before it is given up, 0 if any number.
  Tester(explore::Runner& runner, Keeper& keeper, explore::Recorder& recorder, Budget& budget,
         const explore::Settings& settings, const TestSettings& how, std::uint64_t longest, Choices& choices,
         Tested& tested)
      : runner_(runner),
        keeper_(keeper),
        recorder_(recorder),
        budget_(budget),
        spurious_(settings.spurious),
        liveness_(settings.liveness),
        most_events_(how.most_events),
        longest_(longest),
        choices_(choices),
        tested_(tested),
        fresh_(runner.fresh()),
        graph_(fresh_) {}

  // One run from its beginning on, with the choices that have begun.
  Ran run() {
    begin();
    for (std::int32_t t = 0; t < graph_.stride; ++t)
      if (graph_.exists[t]) recorder_.examine(graph_, t, choices_.taken());
    while (!over()) {
      if (!budget_.spend(1 + explore::steps_since())) return Ran::kNotYet;
      if (longest_ != 0 && events_ >= longest_) return Ran::kTooLong;
      keeper_.drift(graph_, choices_);
      if (!find_ready()) break;
      bool same = ready_.front() == last_;
      std::int32_t t = ready_[ready_.size() > 1 ? choices_.thread(ready_, same) : 0];
      step(t);
      if (keeper_.is_long(graph_)) forget();
    }
    end();
    return Ran::kToItsEnd;
  }

 private:
  // Where a thread waits: until something is written.
  struct Parked {
    bool waits = false;
    bool any = false;        // whatever is written may help; otherwise it must be there
    std::int32_t mark = 0;   // the last event of the location, or how many writes there were
    std::int32_t turns = 0;  // idle iterations since the last write
    bool is_current = false;
    std::int32_t news = 0;  // how many writes there were then
  };

  // A read: its write, and whether it fails for no reason.
  struct Tried {
    std::int32_t source;
    bool fails;
  };

  static constexpr std::int32_t kForgotten = -2;  // a mark that no event has
  static constexpr std::int32_t kIdleTurns = 16;  // iterations without news before a thread waits for some

  void begin() {
    graph_ = fresh_;
    keeper_.begin(graph_);
    events_ = hash_ = 0;
    parked_.assign(static_cast<std::size_t>(graph_.stride), {});
    last_ = -1;
    writes_ = 0;
    is_cut_ = is_desperate_ = has_given_up_ = false;
    patient_.reset();
    known_bugs_ = bugs();
  }

  std::size_t bugs() const { return recorder_.findings.bugs.size() + recorder_.findings.refused.size(); }

  // Whether the run ends here: it has a bug, or is too long.
  bool over() {
    if (recorder_.must_stop()) return true;
    if (bugs() > known_bugs_ && !recorder_.options().keep_going) return true;
    is_cut_ = events_ >= most_events_;
    return is_cut_;
  }

  // The threads that can go on; the one that came last is the first. False if there is none.
  bool find_ready() {
    ready_.clear();
    if (last_ >= 0 && is_ready(last_)) ready_.push_back(last_);
    for (std::int32_t t : runner_.by_rank())
      if (t != last_ && graph_.exists[t] && is_ready(t)) ready_.push_back(t);
    if (!ready_.empty()) return true;
    // Every write reaches every thread after some time: those that wait look once more at what is newest.
    if (is_desperate_ || gives_up()) return false;
    is_desperate_ = true;
    for (Parked& p : parked_) p.waits = false, p.turns = 0;
    return find_ready();
  }

  // Whether a thread of this run that has read in vain waits for news, even if an older write would let it go on.
  bool is_patient(Next next) {
    if (next != Next::kAwaits && !liveness_) return false;
    if (!patient_) patient_ = choices_.way(2) == 1;
    return *patient_;
  }

  // Whether those who wait go on waiting, as they may if what is newest lets none of them go on.
  bool gives_up() {
    if (!patient_.value_or(false)) return false;
    for (std::int32_t t = 0; t < graph_.stride; ++t)
      if (graph_.exists[t] && parked_[t].waits && !is_in_vain(t)) return false;
    return has_given_up_ = choices_.way(2) == 1;
  }

  // Whether the newest write that a thread may read leaves it waiting.
  bool is_in_vain(std::int32_t t) {
    if (read_newest(t) < 0) return false;
    bool waits = is_waiting(graph_.pending(t).next);
    graph_.pop();
    return waits;
  }

  // A read that takes the newest write, of which only the graph knows. -1 if the thread does not read.
  std::int32_t read_newest(std::int32_t t) {
    if (!is_read(graph_.pending(t).next)) return -1;
    sources_.clear();
    keeper_.sources(graph_, t, graph_.pending(t).loc, sources_);
    auto newest = std::max_element(sources_.begin(), sources_.end(),
                                   [](const auto& a, const auto& b) { return a.write < b.write; });
    return newest != sources_.end() ? append(t, newest->write, false) : -1;
  }

  bool is_ready(std::int32_t t) {
    Parked& p = parked_[t];
    if (p.waits) {
      if (p.mark == (p.any ? writes_ : graph_.last_at(graph_.pending(t).loc))) return false;
      p.waits = false;
    }
    const Pending& next = graph_.pending(t);
    switch (next.next) {
      case Next::kLock:
        return !is_held(next.loc);
      case Next::kJoin:
        return graph_.pending(static_cast<std::int32_t>(next.value)).next == Next::kEnded;
      default:
        return runner_.wanted(graph_, t) == t;
    }
  }

  // What a mutex holds is what was written there last: locks and unlocks come one after the other.
  std::int32_t newest_write(std::int32_t loc) const {
    std::int32_t e = graph_.last_at(loc);
    while (e >= 0 && !graph_[e].writes()) e = graph_[e].at;
    return e >= 0 ? e : kInitial;
  }
  bool is_held(std::int32_t loc) const {
    std::int64_t found = runner_.value(graph_, loc, newest_write(loc));
    return found != 0 && !runner_.memory().unset().has(found);
  }

  void step(std::int32_t t) {
    const Pending& p = graph_.pending(t);
    last_ = t;
    if (p.next == Next::kChoose)
      choose(t);
    else if (p.next == Next::kLock)
      accept(append(t, newest_write(p.loc), false));
    else if (is_read(p.next))
      read(t);
    else
      accept(append(t, explore::kNotRead, false));
  }

  void choose(std::int32_t t) {
    const Pending& p = graph_.pending(t);
    std::int64_t count = p.value - p.expected + 1;
    auto n = static_cast<std::int32_t>(choices_.way(static_cast<std::size_t>(count)));
    if (p.weak && n > 0 && !may_fail(t, p.expected + n)) n = 0;
    accept(append(t, n, false));
  }

  bool may_fail(std::int32_t t, std::int64_t value) {
    return spurious_ && runner_.may_fail(graph_, t, graph_.last[t], value, recorder_.findings.cut_loops);
  }

  // A read takes a write that does not leave it waiting, if there is one; tried from the chosen one on.
  void read(std::int32_t t) {
    const Pending p = graph_.pending(t);
    sources_.clear();
    keeper_.sources(graph_, t, p.loc, sources_);
    std::erase_if(sources_, [&](const explore::Source& source) {
      std::int64_t written = 0;
      return !source.free && explore::Machine::modify(p, runner_.value(graph_, p.loc, source.write), written);
    });
    std::size_t count = sources_.size();
    if (count == 0) {
      ++recorder_.findings.dead;
      parked_[t] = {true, true, writes_};
      return;
    }
    std::sort(sources_.begin(), sources_.end(), [](const auto& a, const auto& b) { return a.write > b.write; });
    std::size_t first = is_desperate_ ? 0 : chosen(p);
    std::optional<Tried> again;  // what leads to another iteration
    for (std::size_t n = 0; n < count; ++n) {
      std::int32_t source = sources_[(first + n) % count].write;
      std::int64_t value = runner_.value(graph_, p.loc, source), written = 0;
      bool fails = p.weak && explore::Machine::modify(p, value, written) && may_fail(t, value) && choices_.seldom();
      std::int32_t e = append(t, source, fails);
      Next next = graph_.pending(t).next;
      if (!is_waiting(next)) {
        accept(e);
        is_desperate_ = false;
        return;
      }
      bool repeats = next == Next::kSpins && runner_.may_repeat(graph_, t);
      if (repeats && !again) again = {source, fails};
      bool stays = n + 1 < count && !is_desperate_ && is_patient(next);
      look_only(e);
      if (over()) return;
      if (stays) return park(t, repeats);
    }
    if (!again || !has_turns(t)) return park(t, false);
    accept(append(t, again->source, again->fails));
    runner_.repeat(graph_, t);
    recorder_.examine(graph_, t, choices_.taken());
  }

  void park(std::int32_t t, bool any) {
    Parked& p = parked_[t];
    p.waits = true, p.any = any;
    p.mark = any ? writes_ : graph_.last_at(graph_.pending(t).loc);
  }

  static bool is_waiting(Next next) { return next == Next::kSpins || next == Next::kAwaits; }

  std::size_t chosen(const Pending& p) {
    std::size_t count = sources_.size();
    if (count > 1 && choices_.prefers_unseen()) {
      std::size_t unseen = count;
      std::size_t from = choices_.draw(count);
      for (std::size_t n = 0; n < count && unseen == count; ++n)
        if (!tested_.coverage.edges.contains(edge(sources_[(from + n) % count].write, p.pc)))
          unseen = (from + n) % count;
      return choices_.wanted_source(unseen < count ? unseen : from, count);
    }
    return choices_.source(count);
  }

  std::uint64_t edge(std::int32_t write, std::int32_t pc) const {
    auto from = static_cast<std::uint64_t>(write >= 0 ? graph_[write].pc + 1 : 0);
    return from << 32 | static_cast<std::uint32_t>(pc);
  }

  // All writes leave the thread waiting. If another iteration may find what this one has not, it is made; there
  // are only so many without news.
  bool has_turns(std::int32_t t) {
    Parked& parked = parked_[t];
    if (parked.news != writes_) parked.turns = 0;
    parked.news = writes_;
    return ++parked.turns <= kIdleTurns;
  }

  // What the event would conflict with is found, although it goes again.
  void look_only(std::int32_t e) {
    if (runner_.has_conflicts()) {
      explore::Conflict conflict = keeper_.conflict(graph_, e);
      if (conflict.bug != Bug::kNone) recorder_.conflict(graph_, e, conflict, choices_.taken());
    }
    graph_.pop();
  }

  std::int32_t append(std::int32_t t, std::int32_t source, bool fails) {
    std::int32_t e = graph_.append(runner_.next(graph_, t, source, fails));
    runner_.settle(graph_, e);
    return e;
  }

  // The event stays.
  void accept(std::int32_t e) {
    explore::Conflict conflict = keeper_.conflict(graph_, e);
    keeper_.take(graph_, e);
    const Event& v = graph_[e];
    ++events_;
    writes_ += v.writes();
    hash_ += hash_of(v, e);
    if (v.reads()) tested_.coverage.edges.insert(edge(v.rf, v.pc));
    if (conflict.bug != Bug::kNone) recorder_.conflict(graph_, e, conflict, choices_.taken());
    recorder_.examine(graph_, v.thread, choices_.taken());
    if (v.op == explore::kSpawnOp) recorder_.examine(graph_, graph_[e].other, choices_.taken());
  }

  // What an event adds to the number of the run's class.
  std::uint64_t hash_of(const Event& v, std::int32_t e) const {
    auto mix = [](std::uint64_t h, std::uint64_t x) {
      h = (h ^ x) * 0x9E3779B97F4A7C15u;
      return h ^ h >> 32;
    };
    auto name = [&](std::int32_t w) {
      return w < 0 ? static_cast<std::uint64_t>(w + 2)
                   : runner_.name(graph_[w].thread) + keeper_.count_before(graph_, w) * 0xD1B54A32D192ED03u;
    };
    std::uint64_t h = mix(static_cast<std::uint64_t>(v.pc) << 8 | v.op, name(e));
    h = mix(h, v.loc >= 0 ? static_cast<std::uint64_t>(runner_.memory()[v.loc].pointer) : 0);
    h = mix(h, name(v.rf));
    return v.op == explore::kChooseOp ? mix(h, static_cast<std::uint64_t>(v.read)) : h;
  }

  // Those who wait for news have the same news as before.
  void forget() {
    for (std::int32_t t = 0; t < graph_.stride; ++t) {
      Parked& p = parked_[t];
      p.is_current = p.waits && !p.any && p.mark == graph_.last_at(graph_.pending(t).loc);
    }
    keeper_.forget(graph_);
    budget_.hold(held());
    for (std::int32_t t = 0; t < graph_.stride; ++t)
      if (parked_[t].waits && !parked_[t].any)
        parked_[t].mark = parked_[t].is_current ? graph_.last_at(graph_.pending(t).loc) : kForgotten;
  }

  // The run has come to its end: what is waiting is where it waits.
  void end() {
    explore::Findings& found = recorder_.findings;
    tested_.events += events_;
    ++tested_.runs;
    if (is_cut_) {
      ++found.cut;
    } else if (bugs() > known_bugs_ && !recorder_.options().keep_going) {
      ++found.erroneous;
    } else {
      for (std::int32_t t = 0; t < graph_.stride; ++t)
        if (graph_.exists[t] && parked_[t].waits) stay(t);
      std::uint64_t complete = found.complete, blocked = found.blocked;
      keeper_.leaf(recorder_, graph_, choices_.taken());
      if (found.complete > complete) tested_.coverage.meet(hash_);
      tested_.waiting += found.blocked > blocked && !has_given_up_ && spins();
    }
    tested_.coverage.mark(tested_.runs);
    budget_.hold(held());
  }

  // Whether a thread is in a loop that waits.
  bool spins() const {
    for (std::int32_t t = 0; t < graph_.stride; ++t)
      if (graph_.exists[t] && graph_.pending(t).next == Next::kSpins) return true;
    return false;
  }

  // About how many bytes are in use.
  std::uint64_t held() const {
    std::uint64_t event = sizeof(Event) + sizeof(Pending) + 8 * static_cast<std::uint64_t>(graph_.slots);
    return recorder_.held() + 64 * (tested_.coverage.classes.size() + tested_.coverage.edges.size()) +
           event * graph_.events.capacity();
  }

  // A thread that waits for news of a location has read what is newest there.
  void stay(std::int32_t t) {
    std::int32_t e = read_newest(t);
    if (e < 0) return;
    if (graph_[e].op == kUpdate) graph_[e].op = kRead;  // it has written what it has read
    keeper_.conflict(graph_, e);
    keeper_.take(graph_, e);
  }

  explore::Runner& runner_;
  Keeper& keeper_;
  explore::Recorder& recorder_;
  Budget& budget_;
  bool spurious_, liveness_;
  std::uint64_t most_events_, longest_;
  Choices& choices_;
  Tested& tested_;
  const Graph fresh_;
  Graph graph_;
  std::vector<std::int32_t> ready_;
  std::vector<Parked> parked_;
  std::vector<explore::Source> sources_;
  std::int32_t last_ = -1;
  std::int32_t writes_ = 0;
  std::uint64_t events_ = 0, hash_ = 0;
  std::size_t known_bugs_ = 0;
  bool is_cut_ = false;
  bool is_desperate_ = false;    // nobody can go on but by reading what is newest
  bool has_given_up_ = false;    // who waits went on waiting, although an older write might do
  std::optional<bool> patient_;  // a choice that is made when a read is in vain for the first time
};

}  // namespace porf::testing
