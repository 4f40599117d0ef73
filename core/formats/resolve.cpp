// Resolution by value goes through one hash table of (location, value) -> the writes of that value.
#include "formats/resolve.hpp"

#include <algorithm>
#include <utility>

#include "allowance.hpp"
#include "execution.hpp"

namespace porf::formats {

namespace {

bool reads(std::uint8_t op) { return op == kRead || op == kUpdate; }
bool writes(std::uint8_t op) { return op == kWrite || op == kUpdate; }

class WritesByValue {
 public:
  struct Found {
    std::int32_t first = -1, second = -1;
    std::int64_t count = 0;
  };

  explicit WritesByValue(const Written& history) {
    std::size_t recorded = 0;
    for (std::int32_t row = 0; row < history.size(); ++row) recorded += candidate(history, row) ? 1 : 0;
    std::size_t size = 16;
    while (size < recorded * 2) size *= 2;
    slots_.resize(size);
    for (std::int32_t row = 0; row < history.size(); ++row) {
      if (candidate(history, row)) add(history.loc[row], history.written_value[row], row);
    }
  }

  void prefetch([[maybe_unused]] std::int32_t loc, [[maybe_unused]] std::int64_t value) const {
#if defined(__GNUC__)
    __builtin_prefetch(&slots_[home(loc, value)]);
#endif
  }

  Found find(std::int32_t loc, std::int64_t value) const {
    for (std::size_t at = home(loc, value);; at = (at + 1) & (slots_.size() - 1)) {
      toil_.demand();
      const Slot& slot = slots_[at];
      if (slot.row == kEmpty) return {};
      if (slot.loc != loc || slot.value != value) continue;
      if (slot.row >= 0) return {slot.row, -1, 1};
      return several_[kSeveral - slot.row];
    }
  }

 private:
  static constexpr std::int32_t kEmpty = -1;
  static constexpr std::int32_t kSeveral = -2;  // kSeveral - k refers to several_[k]
  struct Slot {
    std::int64_t value = 0;
    std::int32_t loc = 0;
    std::int32_t row = kEmpty;
  };

  static bool candidate(const Written& history, std::int32_t row) {
    return writes(history.op[row]) && history.written_value[row] != kNoValue;
  }

  std::size_t home(std::int32_t loc, std::int64_t value) const {
    std::uint64_t h = static_cast<std::uint64_t>(value) * 0x9E3779B97F4A7C15u;
    h = (h ^ (h >> 32) ^ static_cast<std::uint32_t>(loc)) * 0xD6E8FEB86659FD93u;
    return (h ^ (h >> 32)) & (slots_.size() - 1);
  }

  void add(std::int32_t loc, std::int64_t value, std::int32_t row) {
    for (std::size_t at = home(loc, value);; at = (at + 1) & (slots_.size() - 1)) {
      toil_.demand();
      Slot& slot = slots_[at];
      if (slot.row == kEmpty) {
        slot = {value, loc, row};
        return;
      }
      if (slot.loc != loc || slot.value != value) continue;
      if (slot.row >= 0) {
        several_.push_back({slot.row, row, 2});
        slot.row = kSeveral - static_cast<std::int32_t>(several_.size() - 1);
      } else {
        ++several_[kSeveral - slot.row].count;
      }
      return;
    }
  }

  Large<Slot> slots_;
  Large<Found> several_;
  mutable Toil toil_;  // values may have been chosen to collide
};

struct Choice {
  std::int32_t writer = kByValue;
  std::int64_t candidates = 0;
};

// What is read without saying whom from. A location whose start nobody knows may have started with any value; an update
// may read its own value only where nothing else offers it.
Choice choose(const Written& history, const WritesByValue& table, std::int32_t row) {
  const std::int32_t loc = history.loc[row];
  const std::int64_t value = history.read_value[row];
  const auto found = table.find(loc, value);
  const bool self = history.op[row] == kUpdate && history.written_value[row] == value;
  const bool initial = history.init_value[loc] == value || history.init_value[loc] == kNoValue;
  const std::int64_t others = found.count - (self ? 1 : 0) + (initial ? 1 : 0);
  if (others == 0) return self ? Choice{row, 1} : Choice{};
  if (others > 1) return {kByValue, others};
  if (initial) return {kInitial, 1};
  return {found.first == row ? found.second : found.first, 1};
}

// How many writes each location has; who reads a value that was not recorded may read any of them.
Ints writes_by_location(const Written& history) {
  Ints count(history.init_value.size(), 0);
  for (std::int32_t row = 0; row < history.size(); ++row) count[history.loc[row]] += writes(history.op[row]) ? 1 : 0;
  return count;
}

// The history with the starts that reads show. Where nobody knows how a location starts, who reads what nobody wrote
// has read its start, and so has who says so; it starts with one value.
class Starts {
 public:
  Starts(const Written& history, const WritesByValue& table, std::span<const std::int32_t> symbol)
      : history_(history), given_(history.init_value) {
    const auto& given = history.init_value;
    if (std::find(given.begin(), given.end(), kNoValue) == given.end()) return;
    value_.assign(given.begin(), given.end());
    Ints shown_by(given.size(), -1);
    for (std::int32_t row = 0; row < history.size(); ++row) {
      if (!reads(history.op[row]) || given[history.loc[row]] != kNoValue || !shows(table, symbol, row)) continue;
      std::int32_t& first = shown_by[history.loc[row]];
      if (first < 0) {
        first = row;
        value_[history.loc[row]] = history.read_value[row];
      } else if (history.read_value[first] != history.read_value[row]) {
        throw Fault{Fault::kStartTwice, row, 0, first};
      }
    }
    history_.init_value = value_;
  }

  const Written& history() const { return history_; }

  // Whether a read of a recorded value is one of the start where nobody says whom it reads.
  bool shown_without_name(const WritesByValue& table, std::int32_t row) const {
    return !value_.empty() && given_[static_cast<std::size_t>(history_.loc[row])] == kNoValue &&
           nobody_wrote(table, row);
  }

 private:
  bool shows(const WritesByValue& table, std::span<const std::int32_t> symbol, std::int32_t row) const {
    if (history_.read_value[row] == kNoValue) return false;
    if (symbol[row] != kByValue && symbol[row] != kFromAny) return symbol[row] == kFromInit;
    return nobody_wrote(table, row);
  }

  bool nobody_wrote(const WritesByValue& table, std::int32_t row) const {
    const bool self = history_.op[row] == kUpdate && history_.written_value[row] == history_.read_value[row];
    return table.find(history_.loc[row], history_.read_value[row]).count == (self ? 1 : 0);
  }

  Written history_;
  std::span<const std::int64_t> given_;  // before
  Large<std::int64_t> value_;
};

// The writers of reads that do not name them: the only one that fits, or kOpen.
class Unnamed {
 public:
  Unnamed(const Written& history, const WritesByValue& table) : history_(history), table_(table) {}

  std::int32_t writer(std::int32_t row, bool any) {
    if (history_.read_value[row] == kNoValue) {
      if (!any) throw Fault{Fault::kRfMissing, row};
      if (writes_.empty()) writes_ = writes_by_location(history_);
      return writes_[history_.loc[row]] == (writes(history_.op[row]) ? 1 : 0) ? kInitial : kOpen;
    }
    const Choice choice = choose(history_, table_, row);
    if (choice.candidates == 0) throw Fault{Fault::kValueUnwritten, row};
    return choice.candidates == 1 ? choice.writer : kOpen;
  }

 private:
  const Written& history_;
  const WritesByValue& table_;
  Ints writes_;
};

std::int32_t named_writer(const Written& history, std::int32_t row, std::int32_t symbol,
                          std::span<const std::int32_t> defined_at) {
  const std::int32_t writer = symbol == kFromInit ? kInitial : defined_at[symbol];
  if (symbol != kFromInit) {
    if (writer < 0) throw Fault{Fault::kRfUnknown, row};
    if (!writes(history.op[writer])) throw Fault{Fault::kRfNotAWrite, row, 0, writer};
    if (history.loc[writer] != history.loc[row]) throw Fault{Fault::kRfOtherLocation, row, 0, writer};
  }
  const std::int64_t wrote = writer == kInitial ? history.init_value[history.loc[row]] : history.written_value[writer];
  if (wrote != kNoValue && history.read_value[row] != kNoValue && wrote != history.read_value[row]) {
    throw Fault{Fault::kRfValue, row, 0, writer};
  }
  return writer;
}

std::int32_t source_of(const Written& history, const Reference& list, std::size_t at, int kind,
                       std::span<const std::int32_t> defined_at) {
  const std::int32_t row = list.row[at], source = defined_at[list.symbol[at]];
  const auto fail = [&](Fault::Code code) {
    std::size_t first = at;
    while (first > 0 && list.row[first - 1] == row) --first;
    throw Fault{code, row, static_cast<std::int64_t>(at - first), source, kind};
  };
  if (source < 0) fail(Fault::kDependencyUnknown);
  if (source == row) fail(Fault::kDependencyOnItself);
  if (history.thread[source] != history.thread[row]) fail(Fault::kDependencyAcrossThreads);
  if (source > row) fail(Fault::kDependencyOnLater);
  if (kind == kExclusive && (!reads(history.op[source]) || !writes(history.op[row]))) fail(Fault::kNotExclusives);
  return source;
}

}  // namespace

Resolved resolve(const Written& given, std::span<const std::int32_t> rf_symbol,
                 std::span<const std::int32_t> defined_at,
                 const std::array<Reference, kDependencyKinds>& dependencies) {
  constexpr std::int32_t kAhead = 16;
  const std::int32_t n = given.size();
  Resolved out;
  out.rf.assign(static_cast<std::size_t>(n), kInitial);
  const WritesByValue table(given);
  const Starts starts(given, table, rf_symbol);
  const Written& history = starts.history();
  Unnamed unnamed(history, table);
  for (std::int32_t row = 0; row < n; ++row) {
    if (row + kAhead < n && reads(history.op[row + kAhead]) && rf_symbol[row + kAhead] == kByValue) {
      table.prefetch(history.loc[row + kAhead], history.read_value[row + kAhead]);
    }
    if (!reads(history.op[row])) continue;
    const std::int32_t symbol = rf_symbol[row];
    out.rf[row] = symbol == kByValue || symbol == kFromAny ? unnamed.writer(row, symbol == kFromAny)
                                                           : named_writer(history, row, symbol, defined_at);
  }
  for (int kind = 0; kind < kDependencyKinds; ++kind) {
    const Reference& list = dependencies[kind];
    out.sources[kind].reserve(list.row.size());
    for (std::size_t at = 0; at < list.row.size(); ++at) {
      out.sources[kind].push_back(source_of(history, list, at, kind, defined_at));
    }
  }
  return out;
}

void settle(const Written& given, std::span<std::int32_t> rf) {
  const WritesByValue table(given);
  Ints symbol(rf.begin(), rf.end());  // kOpen is kByValue
  const Starts starts(given, table, symbol);
  Unnamed unnamed(starts.history(), table);
  for (std::int32_t row = 0; row < given.size(); ++row) {
    if (reads(given.op[row]) && rf[row] == kOpen) rf[row] = unnamed.writer(row, true);
  }
}

Candidates candidates(const Written& given, std::span<const std::int32_t> rf) {
  const Starts starts(given, WritesByValue(given), rf);
  const Written& history = starts.history();
  const auto key = [&](std::int32_t row) { return std::pair(history.loc[row], history.written_value[row]); };
  Ints sorted;
  for (std::int32_t row = 0; row < history.size(); ++row)
    if (writes(history.op[row])) sorted.push_back(row);
  std::stable_sort(sorted.begin(), sorted.end(), [&](std::int32_t a, std::int32_t b) { return key(a) < key(b); });
  // The writes of a value; of a location, where the value was not recorded.
  const auto fitting = [&](std::int32_t loc, std::int64_t value) {
    const std::pair low(loc, value), high(loc, value == kNoValue ? INT64_MAX : value);  // kNoValue is the least value
    const auto begin = std::partition_point(sorted.begin(), sorted.end(), [&](auto w) { return key(w) < low; });
    return std::span(begin, std::partition_point(begin, sorted.end(), [&](auto w) { return key(w) <= high; }));
  };
  std::uint64_t size = 0;
  Candidates out;
  Toil toil;
  for (std::int32_t row = 0; row < history.size(); ++row) {
    if (!reads(history.op[row]) || rf[row] != kOpen) continue;
    const std::int32_t loc = history.loc[row];
    const std::int64_t value = history.read_value[row], start = history.init_value[loc];
    if (value == kNoValue || start == kNoValue || start == value) out.writer.push_back(kInitial);
    const auto writers = fitting(loc, value);
    if (out.writer.size() + writers.size() > size) {
      size = 2 * (out.writer.size() + writers.size());
      Allowance::of_thread().claim(size * sizeof(std::int32_t));
    }
    toil.demand(writers.size() + 1);
    for (const std::int32_t w : writers)
      if (w != row) out.writer.push_back(w);
    out.row.push_back(row);
    out.end.push_back(static_cast<std::int64_t>(out.writer.size()));
  }
  return out;
}

Ints determined_by_value(const Written& given, std::span<const std::int32_t> rf) {
  const WritesByValue table(given);
  const Starts starts(given, table, rf);
  const Written& history = starts.history();
  Ints writer(static_cast<std::size_t>(history.size()), kByValue);
  for (std::int32_t row = 0; row < history.size(); ++row) {
    if (reads(history.op[row]) && history.read_value[row] != kNoValue) {
      // Without a name it would show the start, also an update that could read itself.
      writer[row] = starts.shown_without_name(table, row) ? kInitial : choose(history, table, row).writer;
    }
  }
  return writer;
}

}  // namespace porf::formats
