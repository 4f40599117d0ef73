// Happens-before of a run that only goes forward: a clock for each thread, and one for each write that may still be
// read. What exploration keeps for every event (explore/views.hpp), here only the newest is kept of.
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
  explicit Clocks(explore::Sync sync) : sync_(sync) {}

  void begin(const explore::Graph& g) {
    n_ = static_cast<std::size_t>(g.stride);
    for (auto* table : {&hb_, &unfenced_, &fenced_}) table->assign(n_ * n_, 0);
    scratch_.assign(n_, 0);
    rows_.clear();
    free_.clear();
    message_.clear();
    release_.clear();
    meetings_.clear();
  }

  // What a thread has seen.
  const Count* of(std::int32_t t) const { return &hb_[static_cast<std::size_t>(t) * n_]; }

  // What a thread will have seen at least when it does anything: one that waits for another's end has seen what that
  // has.
  const Count* before_next(const explore::Graph& g, std::int32_t t) {
    std::copy_n(of(t), n_, scratch_.data());
    for (std::size_t hop = 0; hop < n_ && g.pending(t).next == explore::Next::kJoin; ++hop) {
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
    return scratch_.data();
  }

  // The event stays.
  void take(const explore::Graph& g, std::int32_t e) {
    const explore::Event& v = g[e];
    after(g, e);
    Count* hb = at(hb_, v.thread);
    std::copy_n(scratch_.data(), n_, hb);
    if (static_cast<std::size_t>(e) >= message_.size()) message_.resize(static_cast<std::size_t>(e + 1) * 2, -1);
    message_[e] = -1;
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
    for (std::size_t e = 0; e < renamed.size(); ++e) {
      if (message_[e] < 0) continue;
      if (renamed[e] >= 0)
        kept[static_cast<std::size_t>(renamed[e])] = message_[e];
      else
        free_.push_back(message_[e]);
    }
    message_ = std::move(kept);
  }

 private:
  using Sync = explore::Sync;

  Count* at(std::vector<Count>& table, std::int32_t t) { return &table[static_cast<std::size_t>(t) * n_]; }
  Count* row(std::int32_t r) { return &rows_[static_cast<std::size_t>(r) * n_]; }
  void join(Count* into, const Count* from) const {
    for (std::size_t t = 0; t < n_; ++t) into[t] = std::max(into[t], from[t]);
  }

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
  std::size_t n_ = 0;
  std::vector<Count> hb_, unfenced_, fenced_;  // thread ->
  std::vector<Count> scratch_;
  std::vector<Count> rows_;
  std::vector<std::int32_t> free_;     // rows
  std::vector<std::int32_t> message_;  // event -> its row, -1 if it tells nothing
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<Count>> release_;   // of kOwnWrites: location, thread
  std::map<std::pair<std::int32_t, std::int64_t>, std::vector<Count>> meetings_;  // barrier, round
};

}  // namespace porf::testing
