// Candidate executions; see candidates.hpp.
#include "candidates/candidates.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "candidates/axioms.hpp"
#include "candidates/coherent.hpp"
#include "candidates/possible.hpp"
#include "explore/arithmetic.hpp"

namespace porf::candidates {
namespace {

class Search {
 public:
  Search(const explore::Program& program, const std::vector<Mark>& marks, const Settings& settings,
         const std::vector<Seen>& seen, Budget& budget)
      : program_(program),
        marks_(marks),
        settings_(settings),
        seen_(seen),
        budget_(budget),
        places_(program),
        coherence_(coherence(*settings.file)),
        atomic_(keeps_atomic(*settings.file) || (coherence_ == Coherence::kWhole && !settings.two_events)),
        axioms_(settings, budget) {}

  void run() {
    run_threads();
    if (budget_.spent()) return;
    traces_.resize(program_.starts.size());
    find_support();
    chosen_.resize(traces_.size());
    combine(0, {});
  }

  Result result;

 private:
  using Pair = std::pair<std::int32_t, std::int64_t>;  // a location and what it holds
  using Pairs = std::set<Pair>;

  // Every trace of every thread: each read sees each value that its location may hold.
  void run_threads() {
    const Values values = Possible(program_, marks_, places_, settings_.unroll, budget_).values();
    Threads threads(program_, marks_, places_, settings_.unroll, settings_.read_tags, budget_);
    for (std::size_t t = 0; t < program_.starts.size() && !budget_.spent(); ++t)
      traces_.push_back(threads.traces(static_cast<std::int32_t>(t), values));
  }

  // What each thread, and those after it, may write.
  void find_support() {
    later_.assign(traces_.size() + 1, {});
    for (std::size_t t = traces_.size(); t-- > 0;) {
      later_[t] = later_[t + 1];
      for (const Trace& trace : traces_[t])
        for (const Event& event : trace.events)
          if (event.writes()) later_[t].insert({event.loc, event.written});
    }
  }

  // One trace of each thread, such that each read sees what some thread writes. `written`: by the threads before.
  void combine(std::size_t t, const Pairs& written) {
    if (t == traces_.size()) {
      if (supported(written)) match();
      return;
    }
    for (const Trace& trace : traces_[t]) {
      if (!budget_.spend()) return;
      Pairs now = written;
      for (const Event& event : trace.events)
        if (event.writes()) now.insert({event.loc, event.written});
      chosen_[t] = &trace;
      const bool possible = std::all_of(trace.events.begin(), trace.events.end(), [&](const Event& event) {
        const Pair wanted{event.loc, event.read};
        return !event.reads() || event.read == places_.initial(event.loc) || now.contains(wanted) ||
               later_[t + 1].contains(wanted);
      });
      if (possible) combine(t + 1, now);
    }
  }

  bool supported(const Pairs& written) const {
    for (const Trace* trace : chosen_)
      for (const Event& event : trace->events)
        if (event.reads() && event.read != places_.initial(event.loc) && !written.contains({event.loc, event.read}))
          return false;
    return true;
  }

  // The columns of the traces that are chosen, and all matches of each location.
  void match() {
    rows_.clear();
    matches_.clear();
    candidate_ = {};
    Candidate& c = candidate_;
    for (std::size_t t = 0; t < chosen_.size(); ++t) {
      const auto first = static_cast<std::int32_t>(rows_.size());
      for (const Event& event : chosen_[t]->events) {
        const auto row = static_cast<std::int32_t>(rows_.size());
        rows_.push_back({static_cast<std::int32_t>(t), first, &event});
        c.thread.push_back(static_cast<std::int32_t>(t));
        c.op.push_back(event.op);
        c.loc.push_back(event.loc);
        c.order.push_back(event.order);
        c.tags.push_back(event.tags);
        c.pc.push_back(event.pc);
        c.read.push_back(event.read);
        c.written.push_back(event.written);
        depend(kAddress, event.addr, first, row);
        depend(kData, event.data, first, row);
        depend(kControl, event.ctrl, first, row);
        if (event.linked >= 0) depend(kExclusive, Mask{1} << event.linked, first, row);
      }
    }
    c.rf.assign(rows_.size(), kInitial);
    for (std::int32_t loc = 0; loc < places_.size(); ++loc) {
      matches_.emplace_back(rows_, loc, places_.initial(loc), coherence_, atomic_, budget_);
      if (matches_.back().too_large()) throw Refused(Why::kTooLong, chosen_[0]->pc);
      if (matches_.back().all().empty()) return;
    }
    picked_.assign(matches_.size(), nullptr);
    pick(0);
  }

  void depend(DependencyKind kind, Mask sources, std::int32_t first, std::int32_t row) {
    for (std::int32_t n = 0; sources != 0; ++n, sources >>= 1) {
      if ((sources & 1) == 0) continue;
      candidate_.dependencies[kind][0].push_back(first + n);
      candidate_.dependencies[kind][1].push_back(row);
    }
  }

  // A write for each read, location after location.
  void pick(std::size_t loc) {
    if (!budget_.spend()) return;
    if (loc == matches_.size()) {
      judge();
      return;
    }
    for (const Match& match : matches_[loc].all()) {
      picked_[loc] = &match;
      for (std::size_t n = 0; n < match.sources.size(); ++n)
        candidate_.rf[static_cast<std::size_t>(matches_[loc].reads()[n])] = match.sources[n];
      pick(loc + 1);
    }
  }

  void judge() {
    Candidate& c = candidate_;
    Execution execution{c.thread,      c.op, c.loc, c.order, c.rf, static_cast<std::int32_t>(chosen_.size()),
                        places_.size()};
    execution.tags = {c.tags, settings_.read_tags, settings_.write_tags};
    for (std::size_t kind = 0; kind < kDependencyKinds; ++kind)
      execution.dependencies[kind] = {c.dependencies[kind][0], c.dependencies[kind][1]};
    ++result.candidates;
    if (!axioms_.begin(execution)) return;
    c.orders.assign(matches_.size(), {});
    arrange(0);
  }

  // An order of the writes of each location.
  void arrange(std::size_t loc) {
    if (!budget_.spend()) return;
    if (loc == matches_.size()) {
      if (axioms_.hold()) keep();
      return;
    }
    for (const auto& order : picked_[loc]->orders) {
      candidate_.orders[loc] = order;
      axioms_.order(order);
      arrange(loc + 1);
    }
  }

  void keep() {
    for (const Trace* trace : chosen_) {
      if (trace->end == End::kCut) result.cuts.insert(trace->pc);
      if (trace->end == End::kNowhere) result.nowhere = trace->pc;
    }
    if (std::any_of(chosen_.begin(), chosen_.end(), [](const Trace* trace) { return trace->end != End::kDone; }))
      return;
    ++result.executions;
    axioms_.count(result.flags);
    std::vector<std::int64_t> values;
    for (const Seen& seen : seen_) values.push_back(value(seen));
    const auto [at, is_new] = numbers_.try_emplace(std::move(values), result.states.size());
    if (is_new) result.states.push_back({at->first, 0, candidate_});
    ++result.states[at->second].executions;
  }

  std::int64_t value(const Seen& seen) const {
    if (seen.thread >= 0)
      return chosen_[static_cast<std::size_t>(seen.thread)]->registers[static_cast<std::size_t>(seen.where)];
    const std::int32_t loc = places_.find(seen.where);
    const auto& order = candidate_.orders[static_cast<std::size_t>(loc)];
    const std::int64_t last =
        order.empty() ? places_.initial(loc) : rows_[static_cast<std::size_t>(order.back())].event->written;
    return explore::wrap(last, seen.width, seen.is_signed);
  }

  const explore::Program& program_;
  const std::vector<Mark>& marks_;
  const Settings& settings_;
  const std::vector<Seen>& seen_;
  Budget& budget_;
  Places places_;
  Coherence coherence_;
  bool atomic_;
  Axioms axioms_;
  std::vector<std::vector<Trace>> traces_;
  std::vector<Pairs> later_;
  std::vector<const Trace*> chosen_;
  std::vector<Row> rows_;
  std::vector<Matches> matches_;
  std::vector<const Match*> picked_;
  Candidate candidate_;
  std::map<std::vector<std::int64_t>, std::size_t> numbers_;
};

}  // namespace

Result explore(const explore::Program& program, const std::vector<Mark>& marks, const Settings& settings,
               const std::vector<Seen>& seen, Budget& budget) {
  Search search(program, marks, settings, seen, budget);
  try {
    search.run();
  } catch (const Refused& refused) {
    search.result.refused = {refused.why, refused.pc};
  } catch (const relations::Spent&) {
  }
  search.result.limit = budget.limit();
  return std::move(search.result);
}

}  // namespace porf::candidates
