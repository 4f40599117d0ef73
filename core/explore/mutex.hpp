// Mutexes in a graph. A lock is an update that takes a free mutex (0 becomes 1), an unlock a write of 0. A lock that
// finds its mutex taken *waits*: it is then a read of the holder's lock, and its thread stops there. What a mutex goes
// through is one chain of lock, unlock, lock, ..., so there is one free source at a time, or one holder.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "explore/graph.hpp"

namespace porf::explore {

inline bool waits(const Event& v) { return v.role == Role::kLock && v.op == kRead && !v.conflict; }

// The lock that an unlock ends; -1 if the write is none, but makes the mutex.
inline std::int32_t lock_of(const Graph& g, std::int32_t unlock) {
  if (g[unlock].role != Role::kUnlock) return -1;
  std::int32_t e = g[unlock].same;
  while (g[e].op != kUpdate) e = g[e].same;
  return e;
}

// Which of some numbers are marked. To begin anew costs nothing.
class Marks {
 public:
  void begin(std::size_t size) {
    if (at_.size() < size) at_.resize(2 * size);
    if (++now_ == 0) std::fill(at_.begin(), at_.end(), now_++);
  }
  void set(std::size_t n, bool marked = true) { at_[n] = marked ? now_ : 0; }
  bool operator[](std::size_t n) const { return at_[n] == now_; }

 private:
  std::vector<std::uint32_t> at_;
  std::uint32_t now_ = 0;
};

// Which write a lock takes, or waits for, in the part of a graph where `in` holds: the free state of the
// mutex, or the lock of its holder. A lock whose source is not in the part is asleep there: it takes nothing.
template <typename In>
std::int32_t mutex_source(const Graph& g, std::int32_t loc, In in, Marks& marks) {
  // Events that are taken; and after those, threads whose last lock was ended.
  auto n = static_cast<std::size_t>(g.size());
  marks.begin(n + static_cast<std::size_t>(g.stride));
  auto closed = [&](std::int32_t e) { return n + static_cast<std::size_t>(g[e].thread); };
  // The mutex as it was made last: by a write that is no unlock, if there is one. What was before is over.
  std::int32_t root = kInitial;
  for (std::int32_t e = g.last_at(loc); e >= 0 && root < 0; e = g[e].at)
    if (g[e].op == kWrite && g[e].role == Role::kNone && in(e)) root = e;
  bool untouched = true;
  auto awake = [&](std::int32_t e) { return g[e].op == kUpdate && in(e) && (g[e].rf < 0 || in(g[e].rf)); };
  for (std::int32_t e = g.last_at(loc); e >= 0 && e != root; e = g[e].at) {
    if (!awake(e)) continue;
    if (g[e].rf == root) untouched = false;
    if (g[e].rf >= 0) marks.set(static_cast<std::size_t>(g[e].rf));
  }
  if (untouched) return root;
  std::int32_t holder = kInitial;
  for (std::int32_t e = g.last_at(loc); e >= 0 && e != root; e = g[e].at) {
    if (g[e].op == kWrite && g[e].role == Role::kUnlock && in(e)) {
      if (!marks[static_cast<std::size_t>(e)]) return e;
      marks.set(closed(e));
    } else if (awake(e)) {
      if (!marks[closed(e)]) holder = e;
      marks.set(closed(e), false);
    }
  }
  return holder;
}

}  // namespace porf::explore
