#include "explore/graph.hpp"

#include <algorithm>
#include <utility>

namespace porf::explore {

std::int32_t Graph::append(Event event) {
  std::int32_t e = size();
  event.prev = last[event.thread];
  event.index = event.prev >= 0 ? (*this)[event.prev].index + 1 : 0;
  link(event, e);
  last[event.thread] = e;
  events.push_back(event);
  after.emplace_back();
  if (states.size() < static_cast<std::size_t>(e + 1) * slots)
    states.resize(static_cast<std::size_t>(e + 1) * slots * 2);
  clocks.resize(clocks.size() + stride);
  set_clock(e);
  arrival.push_back(e);
  return e;
}

void Graph::link(Event& v, std::int32_t e) {
  if (v.op == kFreeOp) {
    auto object = static_cast<std::size_t>(v.other);
    if (object >= ended_by.size()) ended_by.resize(object + 1, -1);
    v.at = ended_by[object];
  }
  if (v.op != kFreeOp && v.loc >= 0) {
    auto loc = static_cast<std::size_t>(v.loc);
    if (loc >= at.size()) {
      at.resize(loc + 1, -1);
      is_plain.resize(loc + 1);
      own_at.resize((loc + 1) * stride, -1);
      own_count.resize((loc + 1) * stride);
    }
    std::size_t own = loc * stride + v.thread;
    v.at = at[loc];
    v.same = v.leap = own_at[own];
    // Event n of these, from 1 on, leaps to the one whose number is n without its last bit.
    for (std::int32_t n = own_count[own]; n & 1; n >>= 1) v.leap = (*this)[v.leap].leap;
  }
  attach(v, e);
}

void Graph::attach(const Event& v, std::int32_t e) {
  if (v.op == kFreeOp) {
    ended_by[static_cast<std::size_t>(v.other)] = e;
  } else if (v.loc >= 0) {
    std::size_t own = static_cast<std::size_t>(v.loc) * stride + v.thread;
    at[v.loc] = own_at[own] = e;
    ++own_count[own];
    threads = std::max(threads, v.thread + 1);
    if (v.order == kNa) is_plain[v.loc] = 1;
  }
}

void Graph::detach(const Event& v) {
  if (v.op == kFreeOp) {
    ended_by[static_cast<std::size_t>(v.other)] = v.at;
  } else if (v.loc >= 0) {
    std::size_t own = static_cast<std::size_t>(v.loc) * stride + v.thread;
    at[v.loc] = v.at;
    own_at[own] = v.same;
    --own_count[own];
  }
}

void Graph::set_clock(std::int32_t e) {
  const Event& v = (*this)[e];
  Clock* clock = porf(e);
  std::int32_t before = predecessor(e);
  if (before >= 0)
    copy_clock(clock, porf(before), static_cast<std::size_t>(stride));
  else
    std::memset(clock, 0, sizeof(Clock) * stride);
  if (v.rf >= 0) join_clock(clock, porf(v.rf), static_cast<std::size_t>(stride));
  each_awaited(v, [&](std::int32_t end) { join_clock(clock, porf(end), static_cast<std::size_t>(stride)); });
  clock[v.thread] = static_cast<Clock>(v.index + 1);
  if (v.loc >= 0 && v.order == kNa) is_plain[v.loc] = 1;  // a read may have another order with another source
}

std::int32_t Graph::arrival_at(std::int32_t thread, std::int32_t barrier, std::int64_t round) const {
  std::int64_t waited = 0;
  for (std::int32_t e = last[thread]; e >= 0; e = (*this)[e].prev) {
    const Event& v = (*this)[e];
    if (v.op != kBarrierOp || v.other != barrier) continue;
    if (v.read == round) return predecessor(e);
    if (v.read < round) {
      waited = v.read + 1;
      break;
    }
  }
  const Pending& p = pending(thread);
  if (waited != round || p.next != Next::kBarrier || p.loc != barrier) return kAbsent;
  return last[thread] >= 0 ? last[thread] : begun_by[thread];
}

void Graph::pop() {
  std::int32_t e = size() - 1;
  const Event& v = (*this)[e];
  detach(v);
  last[v.thread] = v.prev;
  if (v.op == kSpawnOp) {
    exists[v.other] = false;
    begun_by[v.other] = -1;
  }
  events.pop_back();
  after.pop_back();
  clocks.resize(clocks.size() - stride);
  arrival.pop_back();
}

void Graph::restrict_to(const Graph& from, const std::vector<bool>& keep, std::int32_t r,
                        std::vector<std::int32_t>& renamed) {
  std::int32_t n = from.size();
  renamed.assign(static_cast<std::size_t>(n), -1);
  for (const Event& v : events) {
    if (v.op == kFreeOp) {
      ended_by[static_cast<std::size_t>(v.other)] = -1;
    } else if (v.loc >= 0) {
      std::size_t own = static_cast<std::size_t>(v.loc) * stride + v.thread;
      at[v.loc] = own_at[own] = -1;
      own_count[own] = 0;
    }
  }
  events.clear();
  after.clear();
  clocks.clear();
  arrival.clear();
  backward.clear();
  std::fill(last.begin(), last.end(), -1);
  std::fill(begun_by.begin(), begun_by.end(), -1);
  begin_pending = from.begin_pending;
  exists = from.exists;
  alike = from.alike;
  for (std::size_t t = 0; t < exists.size(); ++t) {
    if (!from.exists[t]) continue;
    copy_state(&begin_state[t * slots], &from.begin_state[t * slots]);
    if (from.begun_by[t] >= 0) exists[t] = false;  // until its start is added
  }
  add_kept(from, 0, n, keep, r, renamed);
}

// The kept events with numbers in a range, which arrived after all others, too.
template <typename From>
void Graph::add_kept(const From& from, std::int32_t first, std::int32_t end, const std::vector<bool>& keep,
                     std::int32_t r, std::vector<std::int32_t>& renamed) {
  std::int32_t begin = size(), m = begin;
  std::size_t most = static_cast<std::size_t>(begin) + static_cast<std::size_t>(end - first);
  if (states.size() < most * slots) states.resize(most * slots);
  clocks.resize(most * stride);
  for (std::int32_t e = first; e < end; ++e) {
    if (!keep[e]) continue;
    renamed[e] = m;
    events.push_back(from[e]);
    after.push_back(from.pending_after(e));
    copy_state(state_after(m), from.state_after(e));
    copy_clock(porf(m), from.porf(e), static_cast<std::size_t>(stride));
    Event& v = events.back();
    v.prev = last[v.thread];
    last[v.thread] = m;
    link(v, m);
    if (v.op == kSpawnOp) {
      exists[v.other] = true;
      begun_by[v.other] = m;
    }
    ++m;
  }
  clocks.resize(static_cast<std::size_t>(m) * stride);
  for (std::int32_t i = first; i < end; ++i)
    if (std::int32_t e = from.arrived(i); keep[e] && e != r) arrival.push_back(renamed[e]);
  if (r >= 0) arrival.push_back(renamed[r]);
  for (std::int32_t e = begin; e < m; ++e) {
    Event& v = events[e];
    if (v.rf < first) continue;
    v.rf = renamed[v.rf];
    if (v.rf > e) backward.push_back(e);
  }
}

void Graph::cut_off(std::int32_t from, Tail& tail) {
  for (std::int32_t e = size() - 1; e >= from; --e) {
    tail.add(*this, e);
    tail.add_arrival(arrival[e]);
  }
  shorten(from);
}

void Graph::shorten(std::int32_t length) {
  while (!backward.empty() && backward.back() >= length) backward.pop_back();
  while (size() > length) pop();
}

void Graph::admit(const Tail& tail, const std::vector<bool>& keep, std::int32_t r, std::vector<std::int32_t>& renamed) {
  renamed.resize(static_cast<std::size_t>(tail.end()));
  std::fill(renamed.begin() + tail.first(), renamed.end(), -1);
  add_kept(tail, tail.first(), tail.end(), keep, r, renamed);
}

void Graph::put_back(const Tail& tail, std::int32_t length) {
  std::int32_t from = size();
  auto most = static_cast<std::size_t>(length);
  if (states.size() < most * slots) states.resize(most * slots);
  clocks.resize(most * stride);
  for (std::int32_t e = from; e < length; ++e) {
    events.push_back(tail[e]);
    after.push_back(tail.pending_after(e));
    copy_state(state_after(e), tail.state_after(e));
    copy_clock(porf(e), tail.porf(e), static_cast<std::size_t>(stride));
    const Event& v = events.back();
    last[v.thread] = e;
    attach(v, e);
    if (v.op != kSpawnOp) continue;
    exists[v.other] = true;
    begun_by[v.other] = e;
  }
  for (const Tail::Begun& begun : tail.begun()) {
    begin_pending[begun.thread] = begun.pending;
    std::copy(begun.state.begin(), begun.state.end(),
              begin_state.begin() + static_cast<std::ptrdiff_t>(begun.thread) * slots);
  }
  for (std::int32_t i = from; i < length; ++i) {
    std::int32_t e = tail.arrived(i);
    arrival.push_back(e);
    if (tail[e].rf > e) backward.push_back(e);
  }
}

void Tail::add(const Graph& g, std::int32_t e) {
  const Event& v = g[e];
  events_.push_back(v);
  after_.push_back(g.pending_after(e));
  clocks_.insert(clocks_.end(), g.porf(e), g.porf(e) + stride_);
  const std::int64_t* state = g.state_after(e);
  offsets_.push_back(states_.size());
  states_.insert(states_.end(), state, state + std::max<std::int64_t>(Graph::extent(state), kHeader));
  if (v.op != kSpawnOp) return;
  auto child = static_cast<std::size_t>(v.other);
  const std::int64_t* begin = &g.begin_state[child * static_cast<std::size_t>(g.slots)];
  begun_.push_back({v.other, g.begin_pending[child], {begin, begin + Graph::extent(begin)}});
}

}  // namespace porf::explore
