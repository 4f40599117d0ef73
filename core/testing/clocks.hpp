// Happens-before of a run that only goes forward: a clock for each thread, and one for each write that may still be
// read. What exploration keeps for every event (explore/views.hpp), here only the newest is kept of. If SC fences are
// in one order, that in which they come, each also knows what those before it knew, and clocks have one number more:
// how many SC fences there had been up to the last one that comes before.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "explore/graph.hpp"
#include "explore/views.hpp"

namespace porf::testing {

using Count = std::uint32_t;  // how many events of a thread

class Clocks {
 public:
  explicit Clocks(explore::Sync sync, bool orders_fences = false) : sync_(sync), orders_fences_(orders_fences) {}

  void begin(const explore::Graph& g) {
    threads_ = static_cast<std::size_t>(g.stride);
    n_ = threads_ + (orders_fences_ ? 1 : 0);
    for (auto* table : {&hb_, &unfenced_, &fenced_}) table->assign(threads_ * n_, 0);
    scratch_.assign(n_, 0);
    all_fences_.assign(n_, 0);
    fences_ = 0;
    count_.clear();
    rows_.clear();
    free_.clear();
    message_.clear();
    release_.clear();
    meetings_.clear();
  }

  // What a thread has seen.
  const Count* of(std::int32_t t) const { return &hb_[static_cast<std::size_t>(t) * n_]; }

  // How many events the thread of an event had before it.
  Count count_before(std::int32_t e) const { return count_[e]; }

  // What the readers of a write are told; null if that is nothing.
  const Count* message(std::int32_t e) const {
    return message_[e] < 0 ? nullptr : &rows_[static_cast<std::size_t>(message_[e]) * n_];
  }

  bool orders_fences() const { return orders_fences_; }
  // How many SC fences there were, and how many of them a clock knows of.
  Count fences() const { return fences_; }
  Count fences_in(const Count* clock) const { return clock[threads_]; }
  // What SC fences know.
  const Count* all_fences() const { return all_fences_.data(); }

  // What a thread will have seen at least when it does anything: one that waits for another's end has seen what that
  // has.
  const Count* before_next(const explore::Graph& g, std::int32_t t) {
    std::copy_n(of(t), n_, scratch_.data());
    for (std::size_t hop = 0; hop < threads_ && g.pending(t).next == explore::Next::kJoin; ++hop) {
      t = static_cast<std::int32_t>(g.pending(t).value);
      join(scratch_.data(), of(t));
    }
    return scratch_.data();
  }

  // What the thread of an event will have seen with it, before it is taken in.
  const Count* after(const explore::Graph& g, std::int32_t e) {
    const explore::Event& v = g[e];
    std::copy_n(of(v.thread), n_, scratch_.data());
    if (v.op == explore::kJoinOp) join(scratch_.data(), of(v.other));
    if (v.op == explore::kBarrierOp) join(scratch_.data(), meeting(g, v));
    scratch_[static_cast<std::size_t>(v.thread)] = static_cast<Count>(g.count_before(v) + 1);
    if (v.rf >= 0 && message_[v.rf] >= 0 && takes_at_once(v)) join(scratch_.data(), row(message_[v.rf]));
    if (v.op == kFence && sync_ >= explore::Sync::kOrders && acquires(v.order))
      join(scratch_.data(), at(unfenced_, v.thread));
    if (is_ordered(v)) join(scratch_.data(), all_fences_.data());
    return scratch_.data();
  }

  // The event stays.
  void take(const explore::Graph& g, std::int32_t e) {
    const explore::Event& v = g[e];
    after(g, e);
    Count* hb = at(hb_, v.thread);
    std::copy_n(scratch_.data(), n_, hb);
    if (is_ordered(v)) {
      hb[threads_] = ++fences_;
      std::copy_n(hb, n_, all_fences_.data());
    }
    if (static_cast<std::size_t>(e) >= message_.size()) {
      message_.resize(static_cast<std::size_t>(e + 1) * 2, -1);
      count_.resize(message_.size());
    }
    message_[e] = -1;
    count_[e] = static_cast<Count>(g.count_before(v));
    if (v.op == explore::kSpawnOp) {
      std::copy_n(hb, n_, at(hb_, v.other));
      std::fill_n(at(unfenced_, v.other), n_, 0);
      std::fill_n(at(fenced_, v.other), n_, 0);
    }
    if (sync_ == explore::Sync::kNone) return;
    if (sync_ >= explore::Sync::kOrders) {
      if (v.rf >= 0 && message_[v.rf] >= 0 && !silent(v) && !takes_at_once(v))
        join(at(unfenced_, v.thread), row(message_[v.rf]));
      if (v.op == kFence && releases(v.order)) std::copy_n(hb, n_, at(fenced_, v.thread));
    }
    if (v.writes()) publish(v, e);
  }

  // Events have new numbers, or are gone (-1).
  void rename(const std::vector<std::int32_t>& renamed, std::int32_t size) {
    std::vector<std::int32_t> kept(static_cast<std::size_t>(size) * 2, -1);
    std::vector<Count> counts(kept.size());
    for (std::size_t e = 0; e < renamed.size(); ++e) {
      if (renamed[e] >= 0) counts[static_cast<std::size_t>(renamed[e])] = count_[e];
      if (message_[e] < 0) continue;
      if (renamed[e] >= 0)
        kept[static_cast<std::size_t>(renamed[e])] = message_[e];
      else
        free_.push_back(message_[e]);
    }
    message_ = std::move(kept);
    count_ = std::move(counts);
  }

 private:
  using Sync = explore::Sync;

  Count* at(std::vector<Count>& table, std::int32_t t) { return &table[static_cast<std::size_t>(t) * n_]; }
  Count* row(std::int32_t r) { return &rows_[static_cast<std::size_t>(r) * n_]; }
  void join(Count* into, const Count* from) const {
    for (std::size_t t = 0; t < n_; ++t) into[t] = std::max(into[t], from[t]);
  }

  bool is_ordered(const explore::Event& v) const { return orders_fences_ && v.op == kFence && v.order == kSc; }
  bool silent(const explore::Event& v) const { return sync_ >= Sync::kAtomicOrders && v.order == kNa; }
  bool strong(const explore::Event& v) const { return sync_ == Sync::kAtomic && v.order != kNa; }
  // Whether what a read is told counts at once, not only after a fence.
  bool takes_at_once(const explore::Event& v) const {
    if (sync_ == Sync::kNone) return false;
    return sync_ == Sync::kAll || (!silent(v) && (strong(v) || acquires(v.order)));
  }

  // What the readers of a write are told.
  void publish(const explore::Event& v, std::int32_t e) {
    const Count* hb = at(hb_, v.thread);
    std::vector<Count>* own = nullptr;
    if (sync_ == Sync::kOwnWrites) {
      own = &release_[{v.loc, v.thread}];
      if (releases(v.order)) own->assign(hb, hb + n_);
    }
    if (silent(v)) return;
    std::int32_t r = take_row();
    Count* message = row(r);
    std::copy_n(sync_ == Sync::kAll || strong(v) || releases(v.order) ? hb : at(fenced_, v.thread), n_, message);
    if (own != nullptr && !own->empty()) join(message, own->data());
    if (v.op == kUpdate && v.rf >= 0 && message_[v.rf] >= 0) join(message, row(message_[v.rf]));
    message_[e] = r;
  }

  std::int32_t take_row() {
    if (free_.empty()) {
      rows_.resize(rows_.size() + n_);
      return static_cast<std::int32_t>(rows_.size() / n_) - 1;
    }
    std::int32_t r = free_.back();
    free_.pop_back();
    return r;
  }

  // What all who meet at a barrier had seen before.
  const Count* meeting(const explore::Graph& g, const explore::Event& v) {
    auto [it, fresh] = meetings_.try_emplace({v.other, v.read});
    if (fresh) {
      it->second.assign(n_, 0);
      meetings_.erase({v.other, v.read - 2});  // all have left it
      for (std::int32_t t = 0; t < g.stride; ++t)
        if (g.exists[t] && (t == v.thread || g.arrival_at(t, v.other, v.read) != explore::Graph::kAbsent))
          join(it->second.data(), of(t));
    }
    return it->second.data();
  }

  Sync sync_;
  bool orders_fences_;
  std::size_t threads_ = 0, n_ = 0;            // of a clock: its numbers
  Count fences_ = 0;                           // SC fences
  std::vector<Count> all_fences_;              // what they know
  std::vector<Count> hb_, unfenced_, fenced_;  // thread ->
  std::vector<Count> scratch_;
  std::vector<Count> rows_;
  std::vector<std::int32_t> free_;     // rows
  std::vector<std::int32_t> message_;  // event -> its row, -1 if it tells nothing
  std::vector<Count> count_;           // event -> how many its thread had before
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<Count>> release_;   // of kOwnWrites: location, thread
  std::map<std::pair<std::int32_t, std::int64_t>, std::vector<Count>> meetings_;  // barrier, round
};

}  // namespace porf::testing
