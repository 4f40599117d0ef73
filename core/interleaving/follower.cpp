// See docs/design/kernels.md#streams.
#include "interleaving/follower.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace porf::interleaving {

bool Follower::feed(std::int32_t thread, std::uint8_t op, std::int32_t loc, std::int64_t rf) {
  if (!fine_) return false;
  const bool reads = op == kRead || op == kUpdate;
  const Event event{size_++, thread, loc, reads ? rf : kInitial, op};
  if (thread >= static_cast<std::int32_t>(now_.buffers.size())) {
    now_.buffers.resize(thread + 1);
    now_.last.resize(thread + 1, -1);
  }
  if (loc >= static_cast<std::int32_t>(now_.cell.size())) {
    now_.cell.resize(loc + 1, kInitial);
    now_.since.resize(loc + 1, -1);
  }
  events_.push_back(event);
  if (!run(event)) fine_ = find_order();
  if (fine_ && size_ % (kWindow / 2) == 0) checkpoint();
  return fine_;
}

// The machine takes a step; false if it has no way to.
bool Follower::run(const Event& event) {
  now_.next = size_;
  std::vector<std::int64_t>& cell = now_.cell;
  if (memory_ == Memory::kSc) {
    if ((event.op == kRead || event.op == kUpdate) && cell[event.loc] != event.rf) return false;
    if (event.op == kWrite || event.op == kUpdate) cell[event.loc] = event.number;
    return true;
  }
  if (event.op == kWrite) {
    now_.buffers[event.thread].push_back({event.number, event.loc});
    return true;
  }
  if (event.op == kRead) return read(event);
  drain(event.thread);
  if (event.op == kFence) return true;
  if (!read(event)) return false;
  cell[event.loc] = event.number;
  now_.since[event.loc] = -1;  // nothing can have been right before an update but what it read
  return true;
}

// A thread finds its own newest write, or memory; what it reads of another's buffer has left it just now.
bool Follower::read(const Event& event) {
  auto& own = now_.buffers[event.thread];
  auto mine = std::find_if(own.rbegin(), own.rend(), [&](const Buffered& b) { return b.loc == event.loc; });
  if (mine != own.rend()) {
    if (mine->write == event.rf) {
      mine->read = event.number;
      return true;
    }
    // Anything else is in memory, and what the thread has written there left its buffer before.
    const std::int64_t last = mine->write;
    while (!own.empty() && own.front().write <= last) leave(event.thread);
  }
  if (now_.cell[event.loc] == event.rf) return true;
  const Event* writer = event.rf < 0 ? nullptr : event_of(event.rf);
  if (writer == nullptr) return false;
  auto& buffer = now_.buffers[writer->thread];
  if (std::none_of(buffer.begin(), buffer.end(), [&](const Buffered& b) { return b.write == event.rf; })) return false;
  while (buffer.front().write != event.rf) leave(writer->thread);
  // Older writes of the location that could leave first, and that nobody has seen, have most likely done so.
  for (std::size_t t = 0; t < now_.buffers.size(); ++t) {
    auto& other = now_.buffers[t];
    while (static_cast<std::int32_t>(t) != writer->thread && !other.empty() && other.front().loc == event.loc &&
           other.front().write < event.rf)
      leave(static_cast<std::int32_t>(t));
  }
  leave(writer->thread, true);
  return true;
}

void Follower::leave(std::int32_t thread, bool seen) {
  auto& buffer = now_.buffers[thread];
  const Buffered write = buffer.front();
  buffer.pop_front();
  if (!seen && hide(write, thread)) return;
  now_.cell[write.loc] = write.write;
  now_.since[write.loc] = now_.last[thread] = now_.next;
}

// Nobody has seen this write. If it is older than what is there, it has most likely left before that did, and was
// overwritten at once: it may have, if what left the buffer before it, and its thread's own reads of it, were earlier.
bool Follower::hide(const Buffered& write, std::int32_t thread) {
  const std::int64_t when = now_.since[write.loc];
  if (now_.cell[write.loc] < write.write || when <= write.write || when <= now_.last[thread] || when <= write.read)
    return false;
  now_.last[thread] = when;
  return true;
}

void Follower::drain(std::int32_t thread) {
  while (!now_.buffers[thread].empty()) leave(thread);
}

const Follower::Event* Follower::event_of(std::int64_t number) const {
  const auto found = std::lower_bound(events_.begin(), events_.end(), number,
                                      [](const Event& event, std::int64_t n) { return event.number < n; });
  return found != events_.end() && found->number == number ? &*found : nullptr;
}

void Follower::Columns::add(const Event& event, std::int32_t rf_row) {
  thread.push_back(event.thread);
  loc.push_back(event.op == kFence ? -1 : event.loc);
  rf.push_back(rf_row);
  op.push_back(event.op);
  number.push_back(event.number);
}

Result Follower::decide(const Columns& columns) const {
  const Large<std::uint8_t> order(columns.op.size(), kRlx);
  const Execution x{columns.thread,
                    columns.op,
                    columns.loc,
                    order,
                    columns.rf,
                    static_cast<std::int32_t>(now_.buffers.size()),
                    static_cast<std::int32_t>(now_.cell.size())};
  Budget budget(0, kSteps, 0, nullptr);
  return check_global_order(x, {}, memory_, Time::kIgnored, true, budget);
}

// What follows a state of the machine: memory is as the initial writes have it, and buffers come first. False if
// something reads what was overwritten before.
bool Follower::columns_from(const State& state, Columns& columns) const {
  std::unordered_map<std::int64_t, std::int32_t> row;
  auto add = [&](const Event& event, std::int32_t rf) {
    row[event.number] = static_cast<std::int32_t>(columns.number.size());
    columns.add(event, rf);
  };
  for (std::size_t t = 0; t < state.buffers.size(); ++t)
    for (const Buffered& b : state.buffers[t])
      add({b.write, static_cast<std::int32_t>(t), b.loc, kInitial, kWrite}, kInitial);
  const auto first = std::lower_bound(events_.begin(), events_.end(), state.next,
                                      [](const Event& event, std::int64_t n) { return event.number < n; });
  for (auto event = first; event != events_.end(); ++event) {
    std::int32_t rf = kInitial;
    if (event->op == kRead || event->op == kUpdate) {
      const std::int64_t there =
          event->loc < static_cast<std::int32_t>(state.cell.size()) ? state.cell[event->loc] : kInitial;
      const auto known = row.find(event->rf);
      if (event->rf == event->number) return false;
      if (event->rf != there && known == row.end()) return false;
      if (event->rf != there) rf = known->second;
    }
    add(*event, rf);
  }
  return true;
}

// All that is kept, by itself.
Follower::Columns Follower::columns_of_all() const {
  Columns columns;
  for (const Event& event : events_) {
    const Event* writer = event.rf < 0 ? nullptr : event_of(event.rf);
    columns.add(event, writer == nullptr ? kInitial : static_cast<std::int32_t>(writer - events_.data()));
  }
  return columns;
}

// The machine has run the events in the order that was found. What nobody needs out of a buffer yet stays there.
void Follower::take(const Result& found, const Columns& columns) {
  const auto n = columns.number.size();
  auto at = [&](std::size_t i) {
    return static_cast<std::size_t>(found.answer == Answer::kConsistent ? found.order[i] : i);
  };
  std::vector<char> seen(n, 0), left(n, 0), thread(now_.buffers.size(), 0), loc(now_.cell.size(), 0);
  for (std::size_t e = 0; e < n; ++e)
    if ((columns.op[e] == kRead || columns.op[e] == kUpdate) && columns.rf[e] >= 0 &&
        columns.thread[columns.rf[e]] != columns.thread[e])
      seen[columns.rf[e]] = 1;
  for (std::size_t i = n; i-- > 0;) {
    const std::size_t e = at(i);
    const auto t = static_cast<std::size_t>(columns.thread[e]);
    if (columns.op[e] == kUpdate || columns.op[e] == kFence || memory_ == Memory::kSc) thread[t] = 1;
    if (columns.op[e] != kWrite && columns.op[e] != kUpdate) continue;
    const auto x = static_cast<std::size_t>(columns.loc[e]);
    left[e] = static_cast<char>(seen[e] != 0 || thread[t] != 0 || loc[x] != 0);
    if (left[e] != 0) thread[t] = loc[x] = 1;
  }
  for (auto& buffer : now_.buffers) buffer.clear();
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t e = at(i);
    if (columns.op[e] != kWrite && columns.op[e] != kUpdate) continue;
    if (left[e] != 0)
      now_.cell[columns.loc[e]] = columns.number[e];
    else
      now_.buffers[columns.thread[e]].push_back({columns.number[e], columns.loc[e]});
  }
  // When they left is not known: before now.
  std::fill(now_.last.begin(), now_.last.end(), now_.next);
  std::fill(now_.since.begin(), now_.since.end(), -1);
  later_.clear();
  later_.push_back(now_);
}

// Another order of what is kept: from the last known state of the machine, or else from nowhere.
bool Follower::find_order() {
  ++searches_;
  Columns columns;
  if (columns_from(base_, columns)) {
    const Result found = decide(columns);
    if (found.answer == Answer::kConsistent) {
      const std::size_t cells = now_.cell.size();
      now_.cell = base_.cell;
      now_.cell.resize(cells, kInitial);
      take(found, columns);
      return true;
    }
    if (found.answer == Answer::kInconsistent && forgotten_ == 0) return false;
  }
  if (const std::int64_t last = events_.back().rf; last >= 0 && event_of(last) == nullptr) {
    stale_ = true;
    return false;
  }
  columns = columns_of_all();
  const Result found = decide(columns);
  if (found.answer == Answer::kInconsistent) return false;
  exact_ = false;
  take(found, columns);
  base_ = now_;
  return true;
}

// Moves the base up to a state that is old enough, and forgets what was before.
void Follower::checkpoint() {
  later_.push_back(now_);
  if (size_ - base_.next < 2 * kWindow) return;
  auto chosen = later_.begin();
  for (auto state = later_.begin(); state != later_.end(); ++state)
    if (size_ - state->next >= kWindow / 2) chosen = state;
  base_ = std::move(*chosen);
  later_.erase(later_.begin(), chosen + 1);
  forget();
}

// Keeps the last events, the newest write of each thread at each location, the writes that are in memory or in a
// buffer, and the writes that these read.
void Follower::forget() {
  std::vector<char> keep(events_.size(), 0);
  const std::int64_t first = std::min(base_.next, size_ - kWindow);
  auto hold = [&](std::int64_t number) {
    if (const Event* event = number < 0 ? nullptr : event_of(number)) keep[event - events_.data()] = 1;
  };
  for (const State* state : {&now_, &base_}) {
    for (const std::int64_t write : state->cell) hold(write);
    for (const auto& buffer : state->buffers)
      for (const Buffered& b : buffer) hold(b.write);
  }
  std::unordered_set<std::int64_t> newest;  // of a thread at a location
  for (std::size_t e = events_.size(); e-- > 0;) {
    Event& event = events_[e];
    if (event.number >= first) keep[e] = 1;
    if ((event.op == kWrite || event.op == kUpdate) &&
        newest.insert((static_cast<std::int64_t>(event.thread) << 32) + event.loc).second)
      keep[e] = 1;
    if (keep[e] == 0) continue;
    // An old update is kept as a write: whom it read is forgotten, or a chain of them would stay for ever.
    if (event.number < first && event.op == kUpdate) {
      event.op = kWrite;
      event.rf = kInitial;
    }
    hold(event.rf);
  }
  std::size_t kept = 0;
  for (std::size_t e = 0; e < events_.size(); ++e)
    if (keep[e] != 0) events_[kept++] = events_[e];
  forgotten_ += static_cast<std::int64_t>(events_.size() - kept);
  events_.resize(kept);
}

std::vector<std::int64_t> Follower::kept() const {
  std::vector<std::int64_t> numbers;
  for (const Event& event : events_) numbers.push_back(event.number);
  return numbers;
}

}  // namespace porf::interleaving
