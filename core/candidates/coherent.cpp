// Matching reads and writes of a location; see coherent.hpp.
#include "candidates/coherent.hpp"

#include <algorithm>

namespace porf::candidates {

Matches::Matches(const std::vector<Row>& rows, std::int32_t loc, std::int64_t initial, Coherence coherence, bool atomic,
                 Budget& budget)
    : rows_(rows),
      coherent_(coherence != Coherence::kNone),
      whole_(coherence == Coherence::kWhole),
      atomic_(atomic),
      budget_(budget),
      initial_(initial) {
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const Event& event = *rows[n].event;
    if (event.loc != loc) continue;
    if (event.reads()) reads_.push_back(static_cast<std::int32_t>(n));
    if (event.writes()) writes_.push_back(static_cast<std::int32_t>(n));
  }
  too_large_ = writes_.size() > kMostWrites;
  if (too_large_) return;
  After after(writes_.size() + 1, 0);
  after[0] = ((std::uint64_t{1} << writes_.size()) - 1) << 1;
  for (std::size_t a = 0; coherent_ && a < writes_.size(); ++a)
    for (std::size_t b = a + 1; b < writes_.size(); ++b)
      if (rows_[static_cast<std::size_t>(writes_[a])].thread == rows_[static_cast<std::size_t>(writes_[b])].thread)
        after[a + 1] |= std::uint64_t{2} << b;
  found_.sources.resize(reads_.size());
  match(after, 0);
}

// Orders two writes, and what follows from that; false if they are ordered the other way round.
bool Matches::before(After& after, std::size_t first, std::size_t second) const {
  if (first == second || ((after[second] >> first) & 1) != 0) return false;
  const std::uint64_t behind = after[second] | std::uint64_t{1} << second;
  for (std::size_t w = 0; w < after.size(); ++w)
    if (w == first || ((after[w] >> first) & 1) != 0) after[w] |= behind;
  return true;
}

// What it means for the order of writes that a read sees one of them.
bool Matches::see(After& after, std::int32_t read, std::size_t source) const {
  const std::int32_t thread = rows_[static_cast<std::size_t>(read)].thread;
  for (std::size_t w = 0; w < writes_.size(); ++w) {
    if (rows_[static_cast<std::size_t>(writes_[w])].thread != thread || (writes_[w] == read && !whole_)) continue;
    const bool behind = writes_[w] >= read;  // an update reads before it writes
    if (w + 1 == source ? behind : !(behind ? before(after, source, w + 1) : before(after, w + 1, source)))
      return false;
  }
  // Reads of one thread see writes in their order.
  for (std::size_t r = 0; r < reads_.size() && reads_[r] < read; ++r) {
    if (rows_[static_cast<std::size_t>(reads_[r])].thread != thread) continue;
    std::size_t earlier = 0;
    for (std::size_t w = 0; w < writes_.size(); ++w)
      if (writes_[w] == found_.sources[r]) earlier = w + 1;
    if (earlier != source && !before(after, earlier, source)) return false;
  }
  return true;
}

void Matches::match(const After& after, std::size_t read) {
  if (read == reads_.size()) {
    found_.orders.clear();
    line_.clear();
    extend(after, 1);
    if (!found_.orders.empty()) all_.push_back(found_);
    return;
  }
  const std::int32_t row = reads_[read];
  const std::int64_t wanted = rows_[static_cast<std::size_t>(row)].event->read;
  for (std::size_t source = 0; source <= writes_.size(); ++source) {
    const std::int32_t write = source == 0 ? kInitial : writes_[source - 1];
    if (write == row) continue;
    const std::int64_t value = source == 0 ? initial_ : rows_[static_cast<std::size_t>(write)].event->written;
    if (value != wanted || (atomic_ && whole_ && is_taken(read, write))) continue;
    found_.sources[read] = write;
    After next = after;
    if (!coherent_ || see(next, row, source)) match(next, read + 1);
  }
}

bool Matches::is_taken(std::size_t read, std::int32_t write) const {
  const Row& row = rows_[static_cast<std::size_t>(reads_[read])];
  if (row.event->op != kUpdate) return false;
  for (std::size_t other = 0; other < read; ++other) {
    const Row& earlier = rows_[static_cast<std::size_t>(reads_[other])];
    if (earlier.event->op == kUpdate && found_.sources[other] == write && earlier.thread != row.thread) return true;
  }
  return false;
}

bool Matches::exclusive() const {
  for (std::size_t at = 0; at < line_.size(); ++at) {
    const Row& row = rows_[static_cast<std::size_t>(line_[at])];
    const bool update = atomic_ && row.event->op == kUpdate;
    if (row.event->linked < 0 && !update) continue;
    const std::int32_t reader = update ? line_[at] : row.first + row.event->linked;
    const auto read = std::find(reads_.begin(), reads_.end(), reader) - reads_.begin();
    const std::int32_t source = found_.sources[static_cast<std::size_t>(read)];
    if (update && source >= 0 &&
        std::find(line_.begin(), line_.begin() + static_cast<std::ptrdiff_t>(at), source) ==
            line_.begin() + static_cast<std::ptrdiff_t>(at))
      continue;  // nothing is between if what an update reads comes after what it writes
    for (std::size_t before = at; before-- > 0 && line_[before] != source;)
      if (rows_[static_cast<std::size_t>(line_[before])].thread != row.thread) return false;
  }
  return true;
}

// Every order of the writes that are not placed yet.
void Matches::extend(const After& after, std::uint64_t placed) {
  if (!budget_.spend()) return;
  if (line_.size() == writes_.size()) {
    if (exclusive()) found_.orders.push_back(line_);
    return;
  }
  for (std::size_t w = 1; w <= writes_.size(); ++w) {
    if (((placed >> w) & 1) != 0) continue;
    bool first = true;
    for (std::size_t other = 1; first && other <= writes_.size(); ++other)
      first = ((placed >> other) & 1) != 0 || ((after[other] >> w) & 1) == 0;
    if (!first) continue;
    line_.push_back(writes_[w - 1]);
    extend(after, placed | std::uint64_t{1} << w);
    line_.pop_back();
  }
}

}  // namespace porf::candidates
