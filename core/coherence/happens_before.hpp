// Happens-before as the events stream by: which clock each thread has, under each of three ways to synchronise.
#pragma once

#include <cstdint>
#include <span>

#include "coherence/messages.hpp"
#include "execution.hpp"
#include "memory.hpp"

namespace porf::coherence {

enum class Sync {
  kPoOnly,  // Relaxed: hb = po
  kOrders,  // RC20: hb = (po ∪ sw)+, by memory orders and fences
  kAll,     // RA, SRA, WRA: hb = (po ∪ rf)+
};

// Feed events in a po ∪ rf order: `before(e)` gives what e's thread has seen before e reads; `after(e)` takes in what e
// reads and publishes what e writes. A view is kept while `readers` promises further readers (without it, for good).
template <Sync S>
class HappensBefore {
 public:
  HappensBefore(std::int32_t threads, std::int32_t events)
      : stride_(S == Sync::kPoOnly ? 0 : threads),
        clock_(stride_, stride_),
        stamp_(stride_, stride_),
        rows_(stride_),
        current_(threads, kNoRow),
        dirty_(threads, 1),
        view_(S == Sync::kPoOnly ? 0 : events, kNoRow) {
    if constexpr (S == Sync::kOrders) {
      released_.widen(threads, stride_);
      pending_.widen(threads, stride_);
      released_row_.assign(threads, kNoRow);
      has_released_.assign(threads, 0);
    }
  }

  void count_readers(Ints readers) {
    readers_ = std::move(readers);
    counted_ = true;
  }

  void grow(std::int32_t threads, std::int32_t events) {
    if constexpr (S == Sync::kPoOnly) return;
    if (threads > stride_) {
      stride_ = std::max(threads, 2 * stride_);
      clock_.widen(stride_, stride_);
      stamp_.widen(stride_, stride_);
      rows_.widen(stride_);
      current_.resize(stride_, kNoRow);
      dirty_.resize(stride_, 1);
      if constexpr (S == Sync::kOrders) {
        released_.widen(stride_, stride_);
        pending_.widen(stride_, stride_);
        released_row_.resize(stride_, kNoRow);
        has_released_.resize(stride_, 0);
      }
    }
    if (events > static_cast<std::int32_t>(view_.size())) view_.resize(events, kNoRow);
  }

  std::int32_t stride() const { return stride_; }

  // What the readers of w take in, or null.
  const std::int32_t* view(std::int32_t w) const { return view_[w] == kNoRow ? nullptr : rows_.at(view_[w]); }

  // How far thread t has seen each thread, and at which of its own events it last learned of each.
  const std::int32_t* clock(std::int32_t t) const { return clock_.at(t); }
  const std::int32_t* stamp(std::int32_t t) const { return stamp_.at(t); }

  // Under kAll: how far the write w had seen thread t when it wrote.
  std::int32_t seen_by(const Execution& x, std::span<const std::int32_t> index, std::int32_t w, std::int32_t t) const {
    return x.thread[w] == t ? index[w] : rows_.at(view_[w])[t];
  }

  void prefetch(std::int32_t w) const { __builtin_prefetch(&view_[w]); }

  void after(const Execution& x, std::span<const std::int32_t> index, std::int32_t e) {
    if constexpr (S == Sync::kPoOnly) return;  // hb is po: there is nothing to keep
    std::int32_t t = x.thread[e];
    clock_.at(t)[t] = index[e];
    if (x.op[e] == kFence) {
      if constexpr (S == Sync::kOrders) fence(t, index[e], x.order[e]);
      return;
    }
    if (x.reads(e) && x.rf[e] >= 0) read(x, index, e);
    if (x.writes(e)) write(x, index, e);
    if (x.reads(e) && x.rf[e] >= 0) release_view(x.rf[e]);
  }

  std::uint64_t bytes() const { return rows_.bytes(); }

 private:
  void read(const Execution& x, std::span<const std::int32_t> index, std::int32_t e) {
    std::int32_t t = x.thread[e], w = x.rf[e], u = x.thread[w];
    if constexpr (S == Sync::kAll) {
      // The clock is closed downwards: having seen w, it has seen all that w had.
      if (clock_.at(t)[u] >= index[w]) return;
      take_in(t, index[e], rows_.at(view_[w]), u, index[w]);
    } else {
      if (view_[w] == kNoRow) return;
      std::int32_t own = releases(x.order[w]) ? index[w] : 0;
      if (acquires(x.order[e])) {
        take_in(t, index[e], rows_.at(view_[w]), u, own);
      } else {
        std::int32_t* pending = pending_.at(t);
        join(pending, rows_.at(view_[w]));
        pending[u] = std::max(pending[u], own);
      }
    }
  }

  void write(const Execution& x, std::span<const std::int32_t> index, std::int32_t e) {
    std::int32_t t = x.thread[e];
    std::int32_t readers = counted_ ? readers_[e] : 1;
    if (readers == 0) return;
    if constexpr (S == Sync::kAll) {
      view_[e] = snapshot(t);
    } else {
      if (releases(x.order[e]))
        view_[e] = snapshot(t);
      else if (has_released_[t])
        view_[e] = released_snapshot(t);
      if (x.op[e] == kUpdate && x.rf[e] >= 0 && view_[x.rf[e]] != kNoRow) forward(x, index, e);
      if (view_[e] == kNoRow) return;
    }
    rows_.hold(view_[e], readers);
  }

  // An update hands on the view of the write it read: sw runs through rf+.
  void forward(const Execution& x, std::span<const std::int32_t> index, std::int32_t e) {
    std::int32_t w = x.rf[e], u = x.thread[w];
    std::int32_t row = rows_.take();
    std::int32_t* own = rows_.at(row);
    if (view_[e] != kNoRow)
      std::copy_n(rows_.at(view_[e]), stride_, own);
    else
      std::fill_n(own, stride_, 0);
    join(own, rows_.at(view_[w]));
    if (releases(x.order[w])) own[u] = std::max(own[u], index[w]);
    view_[e] = row;
  }

  void fence(std::int32_t t, std::int32_t now, std::uint8_t order) {
    if (acquires(order)) take_in(t, now, pending_.at(t), t, 0);
    if (releases(order)) {
      std::copy_n(clock_.at(t), stride_, released_.at(t));
      has_released_[t] = 1;
      set_row(released_row_[t], kNoRow);
    }
  }

  // Entries of thread t's own column in `view` may be stale; `own` is the writer's true place.
  void take_in(std::int32_t t, std::int32_t now, const std::int32_t* view, std::int32_t u, std::int32_t own) {
    std::int32_t* clock = clock_.at(t);
    std::int32_t* stamp = stamp_.at(t);
    bool learned = false;
    for (std::int32_t v = 0; v < stride_; ++v) {
      if (view[v] > clock[v]) {
        clock[v] = view[v];
        stamp[v] = now;
        learned = true;
      }
    }
    if (own > clock[u]) {
      clock[u] = own;
      stamp[u] = now;
      learned = true;
    }
    if (learned) dirty_[t] = 1;
  }

  void join(std::int32_t* into, const std::int32_t* from) const {
    for (std::int32_t v = 0; v < stride_; ++v) into[v] = std::max(into[v], from[v]);
  }

  // Writes between two lessons share one row: they differ only in their own place, which the reader knows.
  std::int32_t snapshot(std::int32_t t) {
    if (dirty_[t] || current_[t] == kNoRow) {
      set_row(current_[t], rows_.copy_of(clock_.at(t)));
      dirty_[t] = 0;
    }
    return current_[t];
  }

  std::int32_t released_snapshot(std::int32_t t) {
    if (released_row_[t] == kNoRow) set_row(released_row_[t], rows_.copy_of(released_.at(t)));
    return released_row_[t];
  }

  void set_row(std::int32_t& slot, std::int32_t row) {
    if (row != kNoRow) rows_.hold(row, 1);
    if (slot != kNoRow) rows_.drop(slot);
    slot = row;
  }

  void release_view(std::int32_t w) {
    if (counted_ && view_[w] != kNoRow) rows_.drop(view_[w]);
  }

  std::int32_t stride_;
  ClockTable clock_, stamp_;
  RowPool rows_;
  Ints current_;  // per thread: the row that shows its clock, unless dirty
  Large<std::uint8_t> dirty_;
  Ints view_;  // per write: the row that its readers take in
  ClockTable released_{0, 0}, pending_{0, 0};
  Ints released_row_;
  Large<std::uint8_t> has_released_;
  Ints readers_;
  bool counted_ = false;
};

}  // namespace porf::coherence
