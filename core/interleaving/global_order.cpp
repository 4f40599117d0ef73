// Saturation by two rules, then the frontier search; on a cycle, the edges that matter with the paths they
// stand on.
#include "interleaving/global_order.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "graph/edge_graph.hpp"
#include "graph/explanation.hpp"
#include "graph/frontier_search.hpp"
#include "graph/global_clocks.hpp"
#include "graph/write_lists.hpp"
#include "graph/write_progress.hpp"

namespace porf::interleaving {
namespace {

Large<EdgeGraph::Edge> pairs_of(const Large<Derived>& edges) {
  Large<EdgeGraph::Edge> pairs;
  pairs.reserve(edges.size());
  for (const Derived& edge : edges) pairs.emplace_back(edge.from, edge.to);
  return pairs;
}

// An execution seen as lines of events that each take place in program order, and the base edges between
// them. Under SC a line is a thread. Under TSO a thread is two lines: its plain writes, as they leave the
// buffer, and all else.
struct Lines {
  Ints thread, index;
  Execution x;
  Large<Derived> edges;
  Uniprocessor breach = Uniprocessor::kFine;
  std::int32_t read = -1, own = -1;

  Lines(const Execution& original, Memory memory)
      : thread(original.thread.begin(), original.thread.end()), x(original) {
    if (memory == Memory::kTso) {
      for (std::int32_t e = 0; e < x.size(); ++e) thread[e] = 2 * thread[e] + (x.op[e] == kWrite ? 1 : 0);
      x.thread = thread;
      x.threads = 2 * original.threads;
    }
    index.resize(x.size());
    Ints length(x.threads, 0);
    for (std::int32_t e = 0; e < x.size(); ++e) index[e] = ++length[x.thread[e]];
    add_edges(original, memory);
    if (memory == Memory::kTso) look_at_own(original);
  }

 private:
  void add_edges(const Execution& original, Memory memory) {
    Ints last(x.threads, -1);
    auto step = [&](std::int32_t line, std::int32_t e) {
      if (last[line] >= 0) edges.push_back({last[line], e, Ground::kPo});
    };
    for (std::int32_t e = 0; e < x.size(); ++e) {
      std::int32_t line = x.thread[e];
      step(line, e);
      // Writes wait for what is before them; fences and updates wait for the writes before them.
      if (memory == Memory::kTso && x.op[e] != kRead) step(line ^ 1, e);
      last[line] = e;
      if (!x.reads(e) || x.rf[e] < 0) continue;
      bool buffered = memory == Memory::kTso && original.thread[x.rf[e]] == original.thread[e] &&
                      x.op[x.rf[e]] == kWrite && x.op[e] == kRead;
      if (!buffered) edges.push_back({x.rf[e], e, Ground::kRf});
    }
  }

  // A read sees its thread's last write of the location, or what came after that.
  void look_at_own(const Execution& original) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> own_write;
    for (std::int32_t e = 0; e < x.size() && breach == Uniprocessor::kFine; ++e) {
      if (x.op[e] == kFence) continue;
      auto [found, fresh] = own_write.try_emplace({original.thread[e], x.loc[e]}, -1);
      if (x.reads(e)) look_at_read(original, e, found->second);
      if (x.writes(e)) found->second = e;
    }
  }

  void look_at_read(const Execution& original, std::int32_t e, std::int32_t mine) {
    std::int32_t w = x.rf[e];
    bool inside = w >= 0 && original.thread[w] == original.thread[e];
    auto fail = [&](Uniprocessor how) {
      breach = how;
      read = e;
      own = mine;
    };
    if (inside && w >= e) return fail(Uniprocessor::kFromLater);
    if (mine < 0 || w == mine) return;
    if (w < 0) return fail(Uniprocessor::kMissesOwn);
    if (inside) return fail(Uniprocessor::kStaleOwn);
    edges.push_back({mine, w, Ground::kOwn, e});
  }
};

// Adds what the reads force, given what is known: a write before a read of w is before w; a write after w is
// after every read of w. Per thread the last such write, and the first, imply the others.
class Rules {
 public:
  Rules(const Execution& x, const Ints& index)
      : x_(x),
        index_(index),
        lists_(x),
        clocks_(x, index),
        last_before_(lists_.size(), 0),
        first_after_(lists_.size(), 0) {}

  void extend(const EdgeGraph& graph, Large<Derived>& edges) {
    clocks_.compute(graph);
    for (std::int32_t r : graph.order()) {
      if (!x_.reads(r)) continue;
      for (std::size_t number = lists_.first(x_.loc[r]); number < lists_.first(x_.loc[r] + 1); ++number) {
        if (x_.rf[r] >= 0) before_writer(r, number, edges);
        after_read(r, number, edges);
      }
    }
  }

  // Only brings the clocks up to date.
  void learn(const EdgeGraph& graph) { clocks_.compute(graph); }

  // Pairs of writes of one location, and those whose order is known.
  void count(Result& result) const {
    for (std::int32_t loc = 0; loc < x_.locations; ++loc) {
      std::uint64_t writes = 0;
      for (std::size_t number = lists_.first(loc); number < lists_.first(loc + 1); ++number) {
        WriteLists::List list = lists_.list(number);
        writes += list.size();
        result.ordered += list.size() * (list.size() - 1) / 2;
        for (std::size_t other = lists_.first(loc); other < lists_.first(loc + 1); ++other) {
          if (other == number) continue;
          std::int32_t t = x_.thread[lists_.list(other)[0]];
          for (std::int32_t w : list) result.ordered += count_within(lists_.list(other), clocks_.seen(w, t));
        }
      }
      result.pairs += writes == 0 ? 0 : writes * (writes - 1) / 2;
    }
  }

  const WriteLists& lists() const { return lists_; }
  // When nothing more could be added: all that is known.
  const GlobalClocks& clocks() const { return clocks_; }

 private:
  void before_writer(std::int32_t r, std::size_t number, Large<Derived>& edges) {
    WriteLists::List list = lists_.list(number);
    std::int32_t w = x_.rf[r], t = x_.thread[list[0]];
    std::int32_t limit = t == x_.thread[r] ? index_[r] - 1 : clocks_.seen(r, t);
    std::size_t end =
        partition_near(list, last_before_[number], [&](std::int32_t u) { return index_[u] <= limit; });
    if (end == 0) return;
    std::int32_t v = list[end - 1];
    if (v == w || clocks_.before(v, w)) return;
    edges.push_back({v, w, Ground::kBefore, r});
    clocks_.note(v, w);
  }

  void after_read(std::int32_t r, std::size_t number, Large<Derived>& edges) {
    WriteLists::List list = lists_.list(number);
    std::int32_t w = x_.rf[r];
    std::size_t at = 0;
    if (w >= 0)
      at = partition_near(list, first_after_[number],
                          [&](std::int32_t u) { return u == w || !clocks_.before(w, u); });
    if (at == list.size() || list[at] == r || clocks_.before(r, list[at])) return;
    edges.push_back({r, list[at], Ground::kAfter, r});
    clocks_.note(r, list[at]);
  }

  std::uint64_t count_within(WriteLists::List list, std::int32_t limit) const {
    auto end =
        std::partition_point(list.begin(), list.end(), [&](std::int32_t u) { return index_[u] <= limit; });
    return static_cast<std::uint64_t>(end - list.begin());
  }

  // std::partition_point, from where it was found last: reads come in an order of time, so it moves little.
  // Steps double until the point is between two of them.
  template <typename Before>
  static std::size_t partition_near(WriteLists::List list, std::int32_t& last, Before before) {
    std::size_t low = 0, high = list.size(), step = 1;  // all below low are before, none from high on is
    auto probe = static_cast<std::size_t>(last);
    if (probe < high && before(list[probe])) {
      for (low = probe + 1; low + step <= high && before(list[low + step - 1]); step *= 2) low += step;
      high = std::min(high, low + step);
    } else {
      for (high = probe; step <= high && !before(list[high - step]); step *= 2) high -= step;
      low = step <= high ? high - step + 1 : 0;
    }
    auto found = std::partition_point(list.begin() + static_cast<std::ptrdiff_t>(low),
                                      list.begin() + static_cast<std::ptrdiff_t>(high), before) -
                 list.begin();
    last = static_cast<std::int32_t>(found);
    return static_cast<std::size_t>(found);
  }

  const Execution& x_;
  const Ints& index_;
  WriteLists lists_;
  GlobalClocks clocks_;
  Ints last_before_, first_after_;  // per list: where the last search ended
};

// What the derived edges stand on.
struct Grounds {
  const Execution& x;
  const Large<Derived>& edges;

  bool told(std::int32_t edge) const { return edges[edge].ground != Ground::kPo; }
  bool usable(std::int32_t, std::int32_t) const { return true; }
  bool in_cycle(std::int32_t) const { return true; }
  std::optional<EdgeGraph::Edge> path(std::int32_t number) const {
    const Derived& edge = edges[number];
    if (edge.ground == Ground::kBefore) return EdgeGraph::Edge(edge.from, edge.read);
    if (edge.ground == Ground::kAfter && x.rf[edge.read] >= 0)
      return EdgeGraph::Edge(x.rf[edge.read], edge.to);
    return std::nullopt;
  }
};

void tell(const Execution& x, const Large<Derived>& edges, const Ints& nodes, Result& result) {
  Grounds grounds{x, edges};
  Explanation explanation(x.size(), edges, grounds);
  Explained told = explanation.explain(explanation.cycle_through(nodes));
  for (std::int32_t edge : told.edges) result.edges.push_back(edges[edge]);
  result.path_start = std::move(told.path_start);
  result.path = std::move(told.path);
  result.cycle = std::move(told.cycle);
}

// One cell a location. A write waits until everyone who reads what is there has; so only one write of a
// location can have readers left, and the frontier determines which.
class Cells {
 public:
  Cells(const Execution& x, Memory memory, const WriteLists& lists, const GlobalClocks& clocks)
      : x_(x),
        buffers_(memory == Memory::kTso),
        progress_(x, lists, clocks),
        there_(x.size(), 0),
        cell_(x.locations, kInitial),
        readers_(x.size(), 0),
        initial_readers_(x.locations, 0),
        reader_start_(static_cast<std::size_t>(x.size()) + 1, 0) {
    for (std::int32_t e = 0; e < x.size(); ++e) {
      if (!x.reads(e)) continue;
      ++waiting(x.rf[e], x.loc[e]);
      if (x.rf[e] >= 0) ++reader_start_[x.rf[e] + 1];
    }
    for (std::int32_t e = 0; e < x.size(); ++e) reader_start_[e + 1] += reader_start_[e];
    reader_.resize(reader_start_.back());
    Large<std::size_t> fill(reader_start_.begin(), reader_start_.end() - 1);
    for (std::int32_t e = 0; e < x.size(); ++e)
      if (x.reads(e) && x.rf[e] >= 0) reader_[fill[x.rf[e]]++] = e;
  }

  bool lets(std::int32_t e) const {
    if (x_.op[e] == kFence) return true;
    std::int32_t loc = x_.loc[e], cell = cell_[loc];
    if (x_.reads(e) && x_.rf[e] != cell && !in_buffer(e)) return false;
    if (!x_.writes(e)) return true;
    std::int32_t others = cell < 0 ? initial_readers_[loc] : readers_[cell];
    return others == (x_.reads(e) ? 1 : 0);
  }

  // Who still reads what a write would overwrite: they come first only because what is there came first.
  template <typename Visit>
  void each_blocker(std::int32_t e, Visit&& visit) const {
    if (!x_.writes(e) || cell_[x_.loc[e]] < 0) return;
    std::int32_t cell = cell_[x_.loc[e]];
    std::int32_t early = progress_.certainly_before(cell, e) ? -1 : cell;
    for (std::size_t i = reader_start_[cell]; i < reader_start_[cell + 1]; ++i)
      if (reader_[i] != e) visit(reader_[i], early);
  }

  // Nothing of its location can come between: no write before a reader of what is there, and none before the
  // next write.
  bool safe(std::int32_t e) const { return x_.op[e] != kWrite || progress_.is_next(e); }

  void run(std::int32_t e) {
    if (x_.reads(e)) --waiting(x_.rf[e], x_.loc[e]);
    if (!x_.writes(e)) return;
    covered_.push_back(cell_[x_.loc[e]]);
    cell_[x_.loc[e]] = e;
    there_[e] = 1;
    progress_.run(e);
  }

  void undo(std::int32_t e) {
    if (x_.reads(e)) ++waiting(x_.rf[e], x_.loc[e]);
    if (!x_.writes(e)) return;
    cell_[x_.loc[e]] = covered_.back();
    covered_.pop_back();
    there_[e] = 0;
    progress_.undo(e);
  }

 private:
  std::int32_t& waiting(std::int32_t w, std::int32_t loc) {
    return w < 0 ? initial_readers_[loc] : readers_[w];
  }

  // Lines 2t and 2t + 1 are one thread's.
  bool in_buffer(std::int32_t e) const {
    std::int32_t w = x_.rf[e];
    return buffers_ && w >= 0 && x_.op[e] == kRead && x_.thread[w] == (x_.thread[e] | 1) && !there_[w];
  }

  const Execution& x_;
  bool buffers_;
  WriteProgress progress_;
  Large<std::uint8_t> there_;  // per write: it has taken place
  Ints cell_;                  // per location: the write that is there
  Ints readers_;               // per write: readers that have not run
  Ints initial_readers_, covered_;
  Large<std::size_t> reader_start_;  // per write: who reads it
  Ints reader_;
};

}  // namespace

Result check_global_order(const Execution& original, Memory memory, bool saturate, Budget& budget) {
  Result result;
  Lines lines(original, memory);
  const Execution& x = lines.x;
  Large<Derived>& edges = lines.edges;
  if (lines.breach != Uniprocessor::kFine) {
    result.answer = Answer::kInconsistent;
    result.breach = lines.breach;
    result.read = lines.read;
    result.own = lines.own;
    return result;
  }
  Rules rules(x, lines.index);
  std::size_t rounds = 0;
  if (budget.spend(x.size()) && budget.hold(GlobalClocks::bytes_for(x))) {
    while (!budget.spent()) {
      EdgeGraph graph(x.size(), pairs_of(edges));
      if (!graph.acyclic()) {
        result.answer = Answer::kInconsistent;
        tell(x, edges, graph.short_cycle(), result);
        return result;
      }
      std::size_t before = edges.size();
      ++rounds;
      if (saturate)
        rules.extend(graph, edges);
      else
        rules.learn(graph);
      if (edges.size() == before) {
        result.saturated = saturate;
        break;
      }
      budget.spend(x.size());
      budget.hold(GlobalClocks::bytes_for(x) + edges.capacity() * sizeof(Derived));
    }
  }
  result.answer = Answer::kUndecided;
  if (budget.spent()) {
    if (rounds > 0) rules.count(result);
    return result;
  }
  Cells cells(x, memory, rules.lists(), rules.clocks());
  FrontierSearch<Cells> search(x, lines.index, pairs_of(edges), cells);
  auto outcome = search.run(budget);
  result.states = search.states();
  if (outcome == FrontierSearch<Cells>::Outcome::kFound) {
    result.answer = Answer::kConsistent;
    result.order = search.trail();
  } else if (outcome == FrontierSearch<Cells>::Outcome::kExhausted) {
    result.answer = Answer::kInconsistent;
  } else {
    rules.count(result);
  }
  return result;
}

}  // namespace porf::interleaving
