// Who accessed which location when: per (thread, location) the accesses in order, searchable from the newest backwards.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "memory.hpp"

namespace porf::coherence {

inline constexpr std::int32_t kNone = -1;

// A slot is a (thread, location) pair. Its accesses form a list with jump pointers (a skew-binary list), so
// that the newest one within a clock is found in time logarithmic in how far the clock lags behind: no cursor
// per observer is needed.
class AccessLog {
 public:
  struct Slot {
    std::int32_t newest = kNone;  // row
    std::int32_t index = 0;       // of the newest row in its thread
    std::int32_t chain = kNone;   // of the value that the newest row leaves,
    std::int32_t position = 0;    // and its place there
    std::int32_t thread = kNone;
    std::int32_t next = kNone;  // the location's next slot (where slots are not laid out as a table)
    // Of the newest row: its depth, its jump, that one's jump, and their depths. Saves looking them up on each append.
    std::int32_t depth = 0, jump = kNone, jump_depth = 0, jump2 = kNone, jump2_depth = 0;
  };

  AccessLog(std::int32_t threads, std::int32_t locations, std::int32_t events, bool searchable)
      : threads_(threads), first_(locations, kNone), searchable_(searchable) {
    // A table of all pairs where it is small beside the events, else a hash map of those that occur.
    auto pairs = static_cast<std::uint64_t>(threads) * static_cast<std::uint64_t>(locations);
    tabular_ = events > 0 && pairs <= static_cast<std::uint64_t>(events) + (1u << 12);
    if (tabular_) slots_.resize(pairs);
    if (searchable_) links_.resize(events);
  }

  void grow(std::int32_t locations, std::int32_t events) {
    if (locations > static_cast<std::int32_t>(first_.size())) first_.resize(locations, kNone);
    if (searchable_ && events > static_cast<std::int32_t>(links_.size())) links_.resize(events);
  }

  // The slot of a pair, or null when the thread has not accessed the location.
  const Slot* find(std::int32_t thread, std::int32_t loc) const {
    if (tabular_) {
      const Slot& slot = slots_[static_cast<std::size_t>(loc) * threads_ + thread];
      return slot.newest == kNone ? nullptr : &slot;
    }
    auto found = map_.find(key(thread, loc));
    return found == map_.end() ? nullptr : &slots_[found->second];
  }

  void prefetch(std::int32_t thread, std::int32_t loc) const {
    if (tabular_) __builtin_prefetch(&slots_[static_cast<std::size_t>(loc) * threads_ + thread]);
  }

  // Calls visit(slot) for each slot of the location until it returns false.
  template <typename Visit>
  void each(std::int32_t loc, Visit&& visit) const {
    if (tabular_) {
      const Slot* slot = slots_.data() + static_cast<std::size_t>(loc) * threads_;
      for (std::int32_t t = 0; t < threads_; ++t, ++slot)
        if (slot->newest != kNone && !visit(*slot)) return;
    } else {
      for (std::int32_t s = first_[loc]; s != kNone; s = slots_[s].next)
        if (!visit(slots_[s])) return;
    }
  }

  // Appends row e, the index-th event of its thread, which leaves a value (of a chain, at a position) in loc.
  void append(std::int32_t thread, std::int32_t loc, std::int32_t e, std::int32_t index, std::int32_t chain = kNone,
              std::int32_t position = 0) {
    Slot& slot = make(thread, loc);
    if (searchable_) link(slot, e);
    slot.newest = e;
    slot.index = index;
    slot.chain = chain;
    slot.position = position;
  }

  // The newest row of the slot whose index is at most `limit`, or kNone.
  std::int32_t newest_within(const Slot& slot, std::int32_t limit, std::span<const std::int32_t> index) const {
    std::int32_t e = slot.newest;
    while (e != kNone && index[e] > limit) {
      const Link& link = links_[e];
      e = link.jump != kNone && index[link.jump] > limit ? link.jump : link.previous;
    }
    return e;
  }

 private:
  struct Link {
    std::int32_t previous, jump, depth;
  };

  static std::uint64_t key(std::int32_t thread, std::int32_t loc) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(thread)) << 32 | static_cast<std::uint32_t>(loc);
  }

  Slot& make(std::int32_t thread, std::int32_t loc) {
    if (tabular_) {
      Slot& slot = slots_[static_cast<std::size_t>(loc) * threads_ + thread];
      slot.thread = thread;
      return slot;
    }
    auto [place, fresh] = map_.try_emplace(key(thread, loc), static_cast<std::int32_t>(slots_.size()));
    if (fresh) {
      slots_.emplace_back();
      slots_.back().thread = thread;
      slots_.back().next = first_[loc];
      first_[loc] = place->second;
    }
    return slots_[place->second];
  }

  void link(Slot& slot, std::int32_t e) {
    if (slot.newest == kNone) {
      links_[e] = {kNone, kNone, 0};
      return;
    }
    bool merge = slot.jump2 != kNone && slot.depth - slot.jump_depth == slot.jump_depth - slot.jump2_depth;
    links_[e] = {slot.newest, merge ? slot.jump2 : slot.newest, slot.depth + 1};
    if (merge) {
      slot.jump = slot.jump2;
      slot.jump_depth = slot.jump2_depth;
      slot.jump2 = links_[slot.jump].jump;
      slot.jump2_depth = slot.jump2 == kNone ? 0 : links_[slot.jump2].depth;
    } else {
      slot.jump2 = slot.jump;
      slot.jump2_depth = slot.jump_depth;
      slot.jump = slot.newest;
      slot.jump_depth = slot.depth;
    }
    ++slot.depth;
  }

  std::int32_t threads_;
  Ints first_;
  Large<Slot> slots_;
  std::unordered_map<std::uint64_t, std::int32_t> map_;
  Large<Link> links_;
  bool searchable_;
  bool tabular_ = false;
};

}  // namespace porf::coherence
