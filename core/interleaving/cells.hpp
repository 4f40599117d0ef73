// The memory that the search over frontiers runs on: one cell a location, and under TSO buffers before it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "graph/global_clocks.hpp"
#include "graph/write_lists.hpp"
#include "graph/write_progress.hpp"
#include "interleaving/global_order.hpp"

namespace porf::interleaving {

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
  std::int32_t& waiting(std::int32_t w, std::int32_t loc) { return w < 0 ? initial_readers_[loc] : readers_[w]; }

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

}  // namespace porf::interleaving
