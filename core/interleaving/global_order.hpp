// SC and TSO: is there a global order? What the reads force on it, to a fixpoint; then a schedule that is
// repaired, then a search over frontiers.
#pragma once

#include <cstdint>

#include "budget.hpp"
#include "execution.hpp"
#include "memory.hpp"
#include "times.hpp"

namespace porf::interleaving {

enum class Memory : std::uint8_t {
  kSc = 0,   // every event takes place at once
  kTso = 1,  // a plain write takes place when it leaves its thread's buffer; its thread reads it before
};

// Beside the order of a thread, what had ended takes place before what began later. Under TSO this is not said of the
// end of a plain write, which may still be in the buffer.
enum class Time : std::uint8_t {
  kIgnored = 0,
  kKept = 1,
  kAlone = 2,  // and the order of a thread says nothing: linearizability
};

// How an edge of the global order came about. Read r takes its value from w; v is another write of the location.
enum class Ground : std::uint8_t {
  kPo = 0,
  kRf = 1,
  kBefore = 2,  // v before w, because v is before r (mo)
  kAfter = 3,   // r before v, because w is before v (fr)
  kOwn = 4,     // v before w, because v is r's thread's own last write before r (TSO)
  kTime = 5,    // real time, by way of moments: numbers after the last row
};

// TSO: what a thread's accesses of one location show by themselves.
enum class Uniprocessor : std::uint8_t {
  kNone = 0,
  kFromLater = 1,  // a read of a write that is not before it in its thread
  kMissesOwn = 2,  // a read of the initial value, after an own write
  kStaleOwn = 3,   // a read of an own write, after a later own write
};

// An edge, the read that grounds it, and the path of earlier edges that its ground names: v to r, or w to v
// (-1 for w being the initial write, which is before everything).
struct Derived {
  std::int32_t from, to;
  Ground ground;
  std::int32_t read = -1;
};

struct Result {
  Answer answer = Answer::kConsistent;
  Limit limit = Limit::kNone;      // what ended it, if it is undecided
  Ints order;                      // when consistent: all rows, interleaved
  Large<Derived> edges;            // when a cycle was forced: the edges that matter, each after those of its path,
  Large<std::int32_t> path_start;  // the path of edge i: path[path_start[i] … path_start[i + 1]), edge numbers
  Ints path;
  Ints cycle;  // edge numbers, closing
  Uniprocessor breach = Uniprocessor::kNone;
  std::int32_t read = -1, own = -1;  // with a breach: the read, and the own write that it should have seen
  std::uint64_t states = 0;          // frontiers visited by the search
  bool saturated = false;            // what the reads force is known, and has no cycle
  std::uint64_t pairs = 0,
                ordered = 0;  // then, if undecided: pairs of writes of a location, and those ordered
};

// Without `saturate` the search starts from program order and reads-from alone.
Result check_global_order(const Execution& x, const Times& times, Memory memory, Time time, bool saturate,
                          Budget& budget);

// Whether the rows, taken in their own order, read what was last written.
bool row_order_is_sequential(const Execution& x);

}  // namespace porf::interleaving
