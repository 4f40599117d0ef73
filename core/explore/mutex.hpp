// Mutexes in a graph. A lock is an update that takes a free mutex (0 becomes 1), an unlock a write of 0. A lock that
// finds its mutex taken *waits*: it is then a read of the holder's lock, and its thread stops there. What a mutex goes
// through is one chain of lock, unlock, lock, ..., so there is one free source at a time, or one holder.
#pragma once

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

// Which write a lock takes, or waits for, in the part of a graph where `in` holds: the free state of the
// mutex, or the lock of its holder. A lock whose source is not in the part is asleep there: it takes nothing.
template <typename In>
std::int32_t mutex_source(const Graph& g, std::int32_t loc, In in, std::vector<char>& taken) {
  taken.assign(static_cast<std::size_t>(g.size()) + static_cast<std::size_t>(g.stride), 0);
  char* closed = taken.data() + g.size();  // thread -> whether its last lock was ended
  // The mutex as it was made last: by a write that is no unlock, if there is one. What was before is over.
  std::int32_t root = kInitial;
  for (std::int32_t e = g.last_at(loc); e >= 0 && root < 0; e = g[e].at)
    if (g[e].op == kWrite && g[e].role == Role::kNone && in(e)) root = e;
  bool untouched = true;
  auto awake = [&](std::int32_t e) { return g[e].op == kUpdate && in(e) && (g[e].rf < 0 || in(g[e].rf)); };
  for (std::int32_t e = g.last_at(loc); e >= 0 && e != root; e = g[e].at) {
    if (!awake(e)) continue;
    if (g[e].rf == root) untouched = false;
    if (g[e].rf >= 0) taken[g[e].rf] = 1;
  }
  if (untouched) return root;
  std::int32_t holder = kInitial;
  for (std::int32_t e = g.last_at(loc); e >= 0 && e != root; e = g[e].at) {
    if (g[e].op == kWrite && g[e].role == Role::kUnlock && in(e)) {
      if (!taken[e]) return e;
      closed[g[e].thread] = 1;
    } else if (awake(e)) {
      if (!closed[g[e].thread]) holder = e;
      closed[g[e].thread] = 0;
    }
  }
  return holder;
}

}  // namespace porf::explore
