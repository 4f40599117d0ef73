// The ways in which the accesses of one location can be matched: which write each read sees, and orders of the writes.
// Locations are matched one by one. If the model is known to keep each location coherent, only what is coherent is
// made: a read and a write that it does not see may be ordered by that alone (Alglave, Maranget and Tautschnig 2014).
// A store-conditional succeeds only if no other thread has written since its load-linked, whatever the model says; so
// does an update, if an axiom is known to say that.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "budget.hpp"
#include "candidates/trace.hpp"

namespace porf::candidates {

// An access in a combination of traces.
struct Row {
  std::int32_t thread = 0;
  std::int32_t first = 0;  // the row where its trace begins
  const Event* event = nullptr;
};

// What is known of a model: nothing; that accesses of a location by different instructions follow program order; or
// that an update reads before it writes, too.
enum class Coherence : std::uint8_t { kNone, kOfInstructions, kWhole };

struct Match {
  std::vector<std::int32_t> sources;              // of each read of the location, in the order of rows; or kInitial
  std::vector<std::vector<std::int32_t>> orders;  // of the writes
};

class Matches {
 public:
  static constexpr std::size_t kMostWrites = 63;

  Matches(const std::vector<Row>& rows, std::int32_t loc, std::int64_t initial, Coherence coherence, bool atomic,
          Budget& budget);

  const std::vector<std::int32_t>& reads() const { return reads_; }
  const std::vector<std::int32_t>& writes() const { return writes_; }
  // Empty if some read has no source.
  const std::vector<Match>& all() const { return all_; }
  bool too_large() const { return too_large_; }

 private:
  // For each write, by its place among them, the initial one first: the writes that must come after it.
  using After = std::vector<std::uint64_t>;

  bool before(After& after, std::size_t first, std::size_t second) const;
  bool see(After& after, std::int32_t read, std::size_t source) const;
  void match(const After& after, std::size_t read);
  void extend(const After& after, std::uint64_t placed);
  // Whether the line is what store-conditionals allow, and updates, if they are known to be atomic.
  bool exclusive() const;
  // Whether an update of another thread, matched before this read, has the same source.
  bool is_taken(std::size_t read, std::int32_t write) const;

  const std::vector<Row>& rows_;
  bool coherent_, whole_, atomic_;
  Budget& budget_;
  bool too_large_ = false;
  std::int64_t initial_;
  std::vector<std::int32_t> reads_, writes_;
  std::vector<Match> all_;
  Match found_;
  std::vector<std::int32_t> line_;
};

}  // namespace porf::candidates
