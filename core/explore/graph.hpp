// The execution graph that is being explored: events in the order in which they were added, with what each
// thread knew after each of them, so that nothing is ever run again.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "explore/machine.hpp"

namespace porf::explore {

using Clock = std::int32_t;  // how many events of a thread

// Clocks of n threads, in blocks of a size that is known: n is mostly a multiple of it.
inline constexpr std::size_t kClockBlock = 8;

inline void copy_clock(Clock* to, const Clock* from, std::size_t n) {
  for (; n >= kClockBlock; n -= kClockBlock, to += kClockBlock, from += kClockBlock)
    std::memcpy(to, from, sizeof(Clock) * kClockBlock);
  for (; n > 0; --n) *to++ = *from++;
}

inline void join_clock(Clock* into, const Clock* from, std::size_t n) {
  for (; n >= kClockBlock; n -= kClockBlock, into += kClockBlock, from += kClockBlock) {
    Clock joined[kClockBlock];
    for (std::size_t t = 0; t < kClockBlock; ++t) joined[t] = into[t] < from[t] ? from[t] : into[t];
    std::memcpy(into, joined, sizeof joined);
  }
  for (; n > 0; --n, ++into, ++from) *into = *into < *from ? *from : *into;
}

enum EventKind : std::uint8_t { kSpawnOp = 4, kJoinOp, kFreeOp, kChooseOp, kBarrierOp };  // beside porf::Op
inline constexpr std::int32_t kNotRead = -2;                                              // rf of what does not read

// What an event does to a mutex.
enum class Role : std::uint8_t { kNone, kLock, kTry, kUnlock };

// The number of an event is its place in the order of insertion. A revisited read keeps its place, so it may
// read from an event with a larger number.
struct Event {
  std::int32_t thread = 0;
  std::int32_t index = 0;  // in its thread
  std::int32_t prev = -1;  // the event before it in its thread
  std::int32_t loc = -1;
  std::int32_t rf = kNotRead;  // or the writer, or kInitial
  std::int32_t at = -1;        // the event at this location, or the end of this object, that was added before
  std::int32_t same = -1;      // the event of its thread at this location before it,
  std::int32_t leap = -1;      // and one of those before that, so that a search is short
  std::int32_t pc = 0;
  std::int32_t effect = 0;   // the last event of the thread, counted from 1, that changes a value, or more
                             // than memory; 0 if none
  std::int64_t read = 0;     // also what was chosen; of a barrier, how often the thread had waited there
  std::int64_t written = 0;  // of a barrier: 1 for one of those who meet; of a start: the template
  std::int32_t other = -1;   // the thread that it starts or joins, the object that it frees, the barrier
  std::int32_t depends = 0;  // on what: a number of Dependencies
  std::uint8_t op = kRead;
  std::uint8_t order = 0;
  Role role = Role::kNone;
  // An update whose source another update has taken: it only reads, until a revisit frees the source.
  bool conflict = false;

  bool reads() const { return op == kRead || op == kUpdate; }
  bool writes() const { return op == kWrite || op == kUpdate; }
};

class Tail;

class Graph {
 public:
  // `width`: slots of the state of a thread.
  Graph(std::int32_t count, std::int32_t width)
      : stride(count),
        slots(width),
        last(count, -1),
        begun_by(count, -1),
        forgotten(count, 0),
        exists(count, false),
        alike(count, -1),
        begin_pending(count),
        begin_state(static_cast<std::size_t>(count) * width) {}

  std::int32_t size() const { return static_cast<std::int32_t>(events.size()); }

  Event& operator[](std::int32_t e) { return events[static_cast<std::size_t>(e)]; }
  const Event& operator[](std::int32_t e) const { return events[static_cast<std::size_t>(e)]; }

  // Only what is in use.
  static void copy_state(std::int64_t* to, const std::int64_t* from) {
    const auto size = sizeof(std::int64_t) * static_cast<std::size_t>(from[kTop]);
    std::memcpy(to, from, size);
    if (size > 0 && from[kShadow] != 0) std::memcpy(to + from[kShadow], from + from[kShadow], size);
  }
  static std::int64_t extent(const std::int64_t* state) { return state[kTop] > 0 ? state[kTop] + state[kShadow] : 0; }

  const Pending& pending(std::int32_t t) const { return last[t] >= 0 ? after[last[t]] : begin_pending[t]; }
  const std::int64_t* state(std::int32_t t) const {
    return last[t] >= 0 ? &states[static_cast<std::size_t>(last[t]) * slots]
                        : &begin_state[static_cast<std::size_t>(t) * slots];
  }
  bool recalls(std::int32_t e) const {
    return (*this)[e].op == kRead && pending_before(e).next == Next::kLoad && pending_before(e).kind == kRecalls;
  }
  std::int64_t* state_after(std::int32_t e) { return &states[static_cast<std::size_t>(e) * slots]; }
  const std::int64_t* state_after(std::int32_t e) const { return &states[static_cast<std::size_t>(e) * slots]; }
  const Pending& pending_after(std::int32_t e) const { return after[static_cast<std::size_t>(e)]; }
  const Pending& pending_before(std::int32_t e) const {
    const Event& v = (*this)[e];
    return v.prev >= 0 ? after[v.prev] : begin_pending[v.thread];
  }
  const std::int64_t* state_before(std::int32_t e) const {
    const Event& v = (*this)[e];
    return v.prev >= 0 ? &states[static_cast<std::size_t>(v.prev) * slots]
                       : &begin_state[static_cast<std::size_t>(v.thread) * slots];
  }
  Clock* porf(std::int32_t e) { return &clocks[static_cast<std::size_t>(e) * stride]; }
  const Clock* porf(std::int32_t e) const { return &clocks[static_cast<std::size_t>(e) * stride]; }
  bool before(std::int32_t e, const Clock* clock) const { return (*this)[e].index < clock[(*this)[e].thread]; }

  // Events, beside its predecessor and its source, that come before an event: the last one of a thread that
  // it joins, and those of all who meet at a barrier.
  template <typename F>
  void each_awaited(const Event& v, F f) const {
    if (v.op == kJoinOp) {
      std::int32_t end = last[v.other] >= 0 ? last[v.other] : begun_by[v.other];
      if (end >= 0) f(end);
    } else if (v.op == kBarrierOp) {
      for (std::int32_t t = 0; t < stride; ++t) {
        if (t == v.thread || !exists[t]) continue;
        std::int32_t before = arrival_at(t, v.other, v.read);
        if (before >= 0) f(before);
      }
    }
  }

  // A thread is, or was, at a barrier, after it had waited there so often: its event before that, or -1 if it
  // had none. kAbsent if it is not there yet.
  static constexpr std::int32_t kAbsent = -2;
  std::int32_t arrival_at(std::int32_t thread, std::int32_t barrier, std::int64_t round) const;

  std::int32_t arrived(std::int32_t i) const { return arrival[static_cast<std::size_t>(i)]; }

  // The event that e comes after by program order: its predecessor, or what started its thread; -1 if none.
  std::int32_t predecessor(std::int32_t e) const { return predecessor((*this)[e]); }
  std::int32_t predecessor(const Event& v) const { return v.prev >= 0 ? v.prev : begun_by[v.thread]; }

  // How many events a thread had before one of its last.
  std::int32_t count_before(const Event& v) const { return v.index + forgotten[v.thread]; }

  std::int32_t last_at(std::int32_t loc) const {
    return static_cast<std::size_t>(loc) < at.size() ? at[static_cast<std::size_t>(loc)] : -1;
  }

  // The last event of a thread at a location, -1 if it has none there. The others follow by Event::same.
  std::int32_t last_of(std::int32_t loc, std::int32_t thread) const {
    std::size_t place = static_cast<std::size_t>(loc) * stride + thread;
    return place < own_at.size() ? own_at[place] : -1;
  }

  // The last of e and those before it by Event::same for which `inside` holds, -1 if there is none. If it holds for an
  // event, it does for all before that.
  template <typename Inside>
  std::int32_t last_of(std::int32_t e, const Inside& inside) const {
    while (e >= 0 && !inside(e)) {
      std::int32_t leap = (*this)[e].leap;
      e = leap >= 0 && !inside(leap) ? leap : (*this)[e].same;
    }
    return e;
  }

  // Visits the last event of each thread at a location, with the thread.
  template <typename Visit>
  void each_last_of(std::int32_t loc, const Visit& visit) const {
    if (static_cast<std::size_t>(loc) >= at.size() || at[static_cast<std::size_t>(loc)] < 0) return;
    const std::int32_t* own = &own_at[static_cast<std::size_t>(loc) * stride];
    for (std::int32_t t = 0; t < threads; ++t)
      if (own[t] >= 0) visit(own[t], t);
  }

  // Whether all accesses of a location are atomic, here and in all graphs before.
  bool all_atomic(std::int32_t loc) const { return !is_plain[static_cast<std::size_t>(loc)]; }

  // The event that freed an object first, -1 if none has.
  std::int32_t end_of(std::int64_t object) const {
    std::int32_t e = last_end_of(object);
    while (e >= 0 && (*this)[e].at >= 0) e = (*this)[e].at;
    return e;
  }
  std::int32_t last_end_of(std::int64_t object) const {
    return static_cast<std::size_t>(object) < ended_by.size() ? ended_by[static_cast<std::size_t>(object)] : -1;
  }

  // Whether one thread starts all others.
  bool is_single() const { return stride < 2 || !exists[1] || begun_by[1] >= 0; }

  // Adds an event at the end of its thread; its clock follows from what is before it.
  std::int32_t append(Event event);

  // The clock of e: everything that is before it by program order and reads-from, and itself.
  void set_clock(std::int32_t e);

  // Takes back the event that was added last.
  void pop();

  // Makes this graph the part of another on the kept events; r comes last in the order of arrival. `renamed`
  // gets the new numbers.
  void restrict_to(const Graph& from, const std::vector<bool>& keep, std::int32_t r,
                   std::vector<std::int32_t>& renamed);

  // Takes away all events from number `from` on, which arrived after all others. The tail gets them, before those that
  // it has: it was this graph's from this size on.
  void cut_off(std::int32_t from, Tail& tail);
  void shorten(std::int32_t size);

  // Adds the kept events of a tail that was this graph's, with new numbers, which `renamed` gets at the old ones.
  void admit(const Tail& tail, const std::vector<bool>& keep, std::int32_t r, std::vector<std::int32_t>& renamed);

  // Puts the events of a tail back, as they were, up to this size.
  void put_back(const Tail& tail, std::int32_t size);

  // What the numbers of what events depend on mean; null if nobody asks.
  const Dependencies* dependencies = nullptr;
  std::int32_t stride;
  std::int32_t slots;
  std::int32_t threads = 0;  // those with larger numbers access nothing
  std::vector<Event> events;
  std::vector<Pending> after;        // event -> what its thread does next
  std::vector<std::int64_t> states;  // event -> the state of its thread after it
  std::vector<Clock> clocks;
  std::vector<std::int32_t> arrival;    // events, each after what it reads from
  std::vector<std::int32_t> backward;   // reads that read from events added later
  std::vector<std::int32_t> at;         // location -> its event that was added last
  std::vector<std::int32_t> own_at;     // location, thread -> the thread's last event there,
  std::vector<std::int32_t> own_count;  // and how many there are
  std::vector<char> is_plain;           // location -> whether an access was ever not atomic
  std::vector<std::int32_t> ended_by;   // object -> the event that freed it last

  std::vector<std::int32_t> last;      // thread -> its last event
  std::vector<std::int32_t> begun_by;  // thread -> what started it, if another thread did
  // thread -> how many of its events were here and are not any more: see testing/keepers.hpp
  std::vector<std::int32_t> forgotten;
  std::vector<bool> exists;
  std::vector<std::int32_t> alike;  // thread -> the one before it that nothing tells apart from it, or -1
  std::vector<Pending> begin_pending;
  std::vector<std::int64_t> begin_state;

 private:
  void link(Event& v, std::int32_t e);  // into the lists of its location
  void attach(const Event& v, std::int32_t e);
  void detach(const Event& v);
  template <typename From>
  void add_kept(const From& from, std::int32_t first, std::int32_t end, const std::vector<bool>& keep, std::int32_t r,
                std::vector<std::int32_t>& renamed);
};

// The events of a graph from a number on, the last one first, so that earlier ones can still be added.
class Tail {
 public:
  // Of a graph of so many events.
  void clear(std::int32_t size, std::int32_t stride) {
    size_ = size;
    stride_ = static_cast<std::size_t>(stride);
    events_.clear();
    after_.clear();
    clocks_.clear();
    states_.clear();
    offsets_.clear();
    arrival_.clear();
    begun_.clear();
  }
  void add(const Graph& g, std::int32_t e);
  void add_arrival(std::int32_t e) { arrival_.push_back(e); }

  std::int32_t first() const { return size_ - static_cast<std::int32_t>(events_.size()); }
  std::int32_t end() const { return size_; }

  const Event& operator[](std::int32_t e) const { return events_[at(e)]; }
  const Pending& pending_after(std::int32_t e) const { return after_[at(e)]; }
  const std::int64_t* state_after(std::int32_t e) const { return &states_[offsets_[at(e)]]; }
  const Clock* porf(std::int32_t e) const { return &clocks_[at(e) * stride_]; }
  // The event that arrived as number i of the graph.
  std::int32_t arrived(std::int32_t i) const { return arrival_[at(i)]; }

  // What a thread that was started in the tail began with.
  struct Begun {
    std::int32_t thread;
    Pending pending;
    std::vector<std::int64_t> state;
  };
  const std::vector<Begun>& begun() const { return begun_; }

  std::uint64_t bytes() const {
    return events_.size() * (sizeof(Event) + sizeof(Pending) + sizeof(Clock) * stride_) +
           states_.size() * sizeof(std::int64_t);
  }

 private:
  std::size_t at(std::int32_t e) const { return static_cast<std::size_t>(size_ - 1 - e); }

  std::int32_t size_ = 0;
  std::size_t stride_ = 0;
  std::vector<Event> events_;
  std::vector<Pending> after_;
  std::vector<Clock> clocks_;
  std::vector<std::int64_t> states_;
  std::vector<std::size_t> offsets_;
  std::vector<std::int32_t> arrival_;
  std::vector<Begun> begun_;
};

}  // namespace porf::explore
