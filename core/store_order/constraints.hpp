// Which writes must precede which, as bit rows over the writes: what a total order of the writes has to keep.
//
// An order is built from its first write on. Write v may come next when all writes before v in some graph
// have come (`before`), and when everyone who reads what v overwrites can have read: the writes before those
// readers have come (`readers`), and so has the update among them (`updater`). These three are all that
// Theorem 1's coherence graphs say, seen from the front of the order instead of from its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "budget.hpp"
#include "execution.hpp"
#include "memory.hpp"
#include "relations/matrix.hpp"
#include "store_order/graphs.hpp"

namespace porf::store_order {

using relations::Word;

class Constraints {
 public:
  // With `forced`, also all that the reads force on every order, to a fixpoint.
  Constraints(const Execution& x, const std::vector<Graph>& graphs, bool forced, Budget& budget);

  // No order satisfies them: a graph has a cycle by itself, or a write must precede itself.
  bool impossible() const { return impossible_; }

  std::int32_t size() const { return static_cast<std::int32_t>(writes_.size()); }
  std::size_t words() const { return words_; }
  const Ints& writes() const { return writes_; }  // rows, location by location
  std::int32_t location(std::int32_t w) const { return x_.loc[writes_[w]]; }
  // The writes of a location are numbered from first(loc) to first(loc + 1).
  std::int32_t first(std::int32_t loc) const { return first_[loc]; }
  const Word* before(std::int32_t w) const { return before_.data() + static_cast<std::size_t>(w) * words_; }
  const Word* readers(std::int32_t w) const { return readers_.data() + static_cast<std::size_t>(w) * words_; }
  std::int32_t updater(std::int32_t w) const { return updater_[w]; }  // -1: no update reads w

  // Pairs of writes of one location: all of them, and those whose order is known.
  std::uint64_t pairs() const;
  std::uint64_t ordered_pairs() const;

  // Pairs of one location whose order is known, without those that follow from others.
  Large<EdgeGraph::Edge> nearest_pairs() const;

  static std::uint64_t bytes_for(const Execution& x, std::size_t graphs);

 private:
  struct Sorted {
    Ints order;                // a topological order of a graph's rows
    Large<std::size_t> start;  // per row: its predecessors in the graph
    Ints sources;
    Large<Word> past;  // per row: the writes before it
  };

  bool sort(const std::vector<Graph>& graphs);
  void number_writes();
  bool find_updaters();
  bool walk(Sorted& graph);      // brings `past` and `before_` up to date along the base edges
  bool apply_initial_readers();  // who reads an initial value is before every write of the location
  bool apply_readers();          // a write before a reader of w is before w; one after w is after its readers
  bool close();                  // before_ transitively; sets impossible_
  Word* row(Large<Word>& matrix, std::size_t at) { return matrix.data() + at * words_; }
  bool add(Word* to, const Word* from);

  const Execution& x_;
  Budget& budget_;
  bool impossible_ = false;
  std::size_t words_ = 1;
  Ints writes_, number_, first_;
  std::vector<Sorted> graphs_;
  Large<Word> before_, readers_, initial_readers_;
  Ints updater_, initial_updater_;
};

}  // namespace porf::store_order
