// Threads that nothing tells apart: they run the same code with the same arguments, and were started one right after
// another. Executions that differ by a permutation of such threads are explored once, or at least counted once. Why
// that misses nothing is said in docs/design/exploration.md.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "explore/graph.hpp"
#include "explore/guesses.hpp"
#include "explore/runner.hpp"

namespace porf::explore {

class Symmetry {
 public:
  // `ordered`: the model puts the writes of a location in one order, which program order and reads-from at this
  // location keep. Then also what threads read from is explored in one order only.
  Symmetry(const Runner& runner, bool ordered)
      : runner_(runner), ordered_(ordered), lines_(static_cast<std::size_t>(runner.threads())) {}

  // Whether there have been threads that nothing tells apart.
  bool active() const { return runner_.symmetric(); }

  // What an event depends on, itself included: everything before it by program order and reads-from, and the events of
  // earlier threads that match these.
  const Clock* prefix(const Graph& g, std::int32_t a) { return active() ? extended(g, a) : g.porf(a); }

  // Whether what the thread reads next stands in the order that matching reads of earlier threads ask for: it may take
  // this source (and fail with it for no reason).
  bool admits(const Graph& g, std::int32_t thread, std::int32_t source, bool fails = false) {
    return !active() || g.alike[thread] < 0 || !ordered_ || admits_source(g, thread, source, fails);
  }
  // Whether it may choose this number.
  bool admits_number(const Graph& g, std::int32_t thread, std::int64_t number) {
    return !active() || g.alike[thread] < 0 || admits_choice(g, thread, number);
  }

  // A thread has joined another one, and run on. That threads are alike was a wrong guess if who joins one of them does
  // something before it has joined all, or gets another value from another one.
  void joined(const Graph& g, std::int32_t e) {
    if (active()) check_join(g, e);
  }

  // Of an execution that has come to its end: how many there are that differ from it by a permutation of threads,
  // itself included. 0 if another one of them is counted.
  std::uint64_t orbit(const Graph& g) { return active() && find_groups(g) ? size_of_orbit(g) : 1; }

 private:
  using Line = std::vector<std::int32_t>;  // the events of a thread
  using Order = std::vector<std::int32_t>;

  // What decides between two events that match: earlier ones come first. It is the same in every permutation.
  struct Key {
    std::int32_t depth = 0, source_depth = 0;
    std::int64_t choice = 0;
    auto operator<=>(const Key&) const = default;
  };

  void check_join(const Graph& g, std::int32_t e);
  const Clock* extended(const Graph& g, std::int32_t a);
  bool admits_source(const Graph& g, std::int32_t thread, std::int32_t source, bool fails);
  bool admits_choice(const Graph& g, std::int32_t thread, std::int64_t number);
  // Of each earlier thread that made the same choices up to the end of this one: what it did then.
  template <typename F>
  bool each_match(const Graph& g, std::int32_t thread, F admits);
  void gather(const Graph& g, std::int32_t thread);
  bool same_choice(const Graph& g, std::int32_t e, std::int32_t f) const;
  std::size_t matching(const Graph& g, std::int32_t t, std::int32_t u) const;
  bool precedes(const Graph& g, std::int32_t w, std::int32_t v);

  // Complete executions.
  bool find_groups(const Graph& g);
  std::uint64_t size_of_orbit(const Graph& g);
  void find_depths(const Graph& g);
  Key key(const Graph& g, std::int32_t e) const;
  std::weak_ordering compare_lines(const Graph& g, std::int32_t t, std::int32_t u) const;
  void find_colours(const Graph& g);
  std::weak_ordering compare_permuted(const Graph& g);
  std::uint64_t automorphisms(const Graph& g, const std::vector<Order>& ties);

  const Runner& runner_;
  bool ordered_;
  // Scratch.
  std::vector<Line> lines_;            // of threads, as far as they matter
  std::vector<std::int32_t> members_;  // threads that have earlier ones like them
  std::vector<Clock> clock_;
  std::vector<std::int32_t> todo_;
  std::vector<char> seen_;
  std::vector<Order> groups_;
  std::vector<std::int32_t> group_;  // thread -> its group, -1 if it has none
  std::vector<std::int32_t> depth_;
  std::vector<std::uint64_t> colour_, next_, read_;
  std::vector<std::int32_t> to_, from_;
};

}  // namespace porf::explore
