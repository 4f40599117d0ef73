// Whether an execution may have a cycle of program order and reads-from: a write that comes after a read in its thread,
// that the model lets others see before the read, and from which other threads' reads and writes lead back to what the
// read reads. Gathered while executions without such cycles are explored.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "explore/dependencies.hpp"
#include "explore/graph.hpp"
#include "explore/memory_map.hpp"

namespace porf::explore {

// What of program order from a read to a write has no cycle with reads-from between threads, under a model.
enum KeptOrder : std::int32_t {
  kKeptData = 1,
  kKeptAddress = 2,
  kKeptChain = 4,  // several of these in a row
  kKeptControl = 8,
  kKeptAcquire = 16,     // after a read that acquires
  kKeptUpdate = 32,      // after an update
  kKeptRelease = 64,     // before a write that releases
  kKeptFence = 128,      // over a fence: a bit for each order, from this on
  kSequences = 1 << 20,  // beside that: whoever releases hands on what updates of its thread found there before
  kNoCycles = -1         // program order and reads-from have no cycle at all
};

// A read, and a later write of its thread that others may see earlier; by instruction and places.
struct EarlyWrite {
  std::int32_t pc = 0;
  std::uint64_t read = 0, written = 0;

  auto operator<=>(const EarlyWrite&) const = default;
};

// What was gathered: also, of each write, the places that its thread had read before.
struct EarlyFound {
  std::vector<EarlyWrite> early;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> after;  // a place read, and one written later

  void add(const EarlyFound& found);
  // The instructions of reads from whose early writes others lead back to what they read.
  std::vector<std::int32_t> reads_of_cycles() const;
};

class EarlyWrites {
 public:
  EarlyWrites(const MemoryMap& memory, const Dependencies& dependencies, std::int32_t kept)
      : memory_(memory), dependencies_(dependencies), kept_(kept) {}

  // An event was added to the graph.
  void note(const Graph& g, std::int32_t e);

  // Visits every read before a write by program order, and whether that is kept. So is what a start, a join or a
  // barrier stands between.
  template <typename Visit>
  void each_before(const Graph& g, std::int32_t write, const Visit& visit) {
    depended(g, write);
    seen_.assign(static_cast<std::size_t>(g.size()), 0);
    const std::int32_t before = g.predecessor(write);
    if (before >= 0) walk(g, write, before, keeps(kKeptRelease) && releases(g[write].order), visit);
  }

  EarlyFound found() const;
  // How much is known: it only grows.
  std::size_t size() const { return early_.size() + after_.size(); }

 private:
  bool keeps(KeptOrder what) const { return (kept_ & what) != 0; }
  bool keeps_fence(std::uint8_t order) const { return (kept_ & kKeptFence << order) != 0; }
  std::uint64_t key(std::int32_t loc) const;
  static void check_sequence(const Graph& g, const Event& v);
  // The reads of its thread that come before a write by dependencies, by their index.
  void depended(const Graph& g, std::int32_t e);
  // Everything from e back by program order. `fenced`: nothing from here on is seen after the write.
  template <typename Visit>
  void walk(const Graph& g, std::int32_t write, std::int32_t e, bool fenced, const Visit& visit) {
    while (e >= 0 && !seen_[static_cast<std::size_t>(e)]) {
      seen_[static_cast<std::size_t>(e)] = 1;
      const Event& f = g[e];
      fenced |= f.op == kSpawnOp || f.op == kJoinOp || f.op == kBarrierOp || (f.op == kFence && keeps_fence(f.order));
      g.each_awaited(f, [&](std::int32_t other) { walk(g, write, other, fenced, visit); });
      if (f.reads() && f.loc >= 0)
        visit(e, fenced || (keeps(kKeptAcquire) && acquires(f.order)) || (keeps(kKeptUpdate) && f.op == kUpdate) ||
                     (f.thread == g[write].thread && before_[static_cast<std::size_t>(f.index)]));
      e = g.predecessor(f);
    }
  }

  const MemoryMap& memory_;
  const Dependencies& dependencies_;
  std::int32_t kept_;
  std::set<EarlyWrite> early_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> after_;
  // Scratch.
  std::vector<char> seen_, before_;
  std::vector<std::int32_t> chain_;  // the events of the thread, by their index
};

}  // namespace porf::explore
