#include "explore/overlaps.hpp"

#include <array>

namespace porf::explore {

namespace {

bool same(const Place& a, const Place& b) { return a.pointer == b.pointer && a.width == b.width; }

}  // namespace

// How many writes with other widths come before an access of the place.
std::int32_t Overlaps::age(const Graph& g, const Clock* before, std::int32_t loc) const {
  std::int32_t count = 0;
  for (std::int32_t other : memory_.rivals(loc)) {
    if (same(memory_[other], memory_[loc]) || !overlap(memory_[other], memory_[loc])) continue;
    for (std::int32_t e = g.last_at(other); e >= 0; e = g[e].at) count += g[e].writes() && g.before(e, before);
  }
  return count;
}

// The write of a location that is the last one in what comes before: all others are before it, or before a read of it.
// -1 if there is none; `open` if that is not known.
std::int32_t Overlaps::last_write(const Graph& g, const Clock* before, std::int32_t loc, bool& open) const {
  auto after_all = [&](std::int32_t e) {
    for (std::int32_t w = g.last_at(loc); w >= 0; w = g[w].at)
      if (w != e && g[w].writes() && g.before(w, before) && !g.before(w, g.porf(e))) return false;
    return true;
  };
  bool some = false;
  for (std::int32_t e = g.last_at(loc); e >= 0; e = g[e].at) {
    if (!g.before(e, before)) continue;
    some |= g[e].writes();
    if ((g[e].writes() || g[e].rf >= 0) && after_all(e)) return g[e].writes() ? e : g[e].rf;
  }
  open |= some;
  return -1;
}

void Overlaps::renew(const Graph& g, std::int32_t thread, std::int32_t after, Pending& pending) const {
  std::int32_t loc = pending.loc, last = after >= 0 ? after : g.begun_by[thread];
  if (last < 0) return;
  const Clock* before = g.porf(last);
  std::int32_t now = age(g, before, loc);
  if (now == 0) return;
  const Place place = memory_[loc];
  std::int64_t offset = offset_of(place.pointer), number = number_of(place.pointer);
  std::array<std::int32_t, MemoryMap::kWidest> writer;
  writer.fill(-1);
  for (std::int32_t other : memory_.rivals(loc)) {
    const Place& rival = memory_[other];
    if (!overlap(rival, place) || (same(rival, place) && rival.age >= now)) continue;
    bool open = false;
    std::int32_t w = last_write(g, before, other, open);
    if (open) {
      pending = {.next = Next::kLoad,
                 .order = pending.order == kNa ? kNa : kRlx,
                 .kind = kRecalls,
                 .width = rival.width,
                 .pc = pending.pc,
                 .loc = other};
      return;
    }
    if (w < 0) continue;
    for (std::int32_t n = 0; n < place.width; ++n) {
      bool covers = offset_of(rival.pointer) <= offset + n && offset + n < rival.end();
      if (covers && (writer[n] < 0 || g.before(writer[n], g.porf(w)))) writer[n] = w;
    }
  }
  MemoryMap::Halves bytes;
  for (std::int32_t n = place.width - 1; n >= 0; --n) {
    if (writer[n] < 0) {
      bytes[n / 8].append(memory_.first_byte(number, offset + n));
      continue;
    }
    const Event& w = g[writer[n]];
    bytes[n / 8].append(memory_.byte_of(w.loc, w.written, offset + n - offset_of(memory_[w.loc].pointer)));
  }
  pending.loc = memory_.aged(loc, now, bytes);
}

std::int32_t Overlaps::origin(const Graph& g, std::int32_t e) const {
  std::int32_t last = g[e].rf, loc = g[e].loc;
  if (last != kInitial || memory_[loc].age == 0) return last;
  for (std::int32_t other : memory_.rivals(loc)) {
    if (other == loc || !overlap(memory_[other], memory_[loc])) continue;
    for (std::int32_t w = g.last_at(other); w >= 0; w = g[w].at)
      if (g[w].writes() && g.before(w, g.porf(e)) && (last < 0 || g.before(last, g.porf(w)))) last = w;
  }
  return last;
}

}  // namespace porf::explore
