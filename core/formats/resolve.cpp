// Resolution by value goes through one hash table of (location, value) -> the writes of that value.
#include "formats/resolve.hpp"

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

// An update may read its own value only where nothing else offers it.
Choice choose(const Written& history, const WritesByValue& table, std::int32_t row) {
  const std::int32_t loc = history.loc[row];
  const std::int64_t value = history.read_value[row];
  const auto found = table.find(loc, value);
  const bool self = history.op[row] == kUpdate && history.written_value[row] == value;
  const bool initial = history.init_value[loc] == value;
  const std::int64_t others = found.count - (self ? 1 : 0) + (initial ? 1 : 0);
  if (others == 0) return self ? Choice{row, 1} : Choice{};
  if (others > 1) return {kByValue, others};
  if (initial) return {kInitial, 1};
  return {found.first == row ? found.second : found.first, 1};
}

[[noreturn]] void fail_by_value(const Written& history, std::int32_t row, std::int64_t candidates) {
  if (history.read_value[row] == kNoValue) throw Fault{Fault::kRfMissing, row};
  if (candidates == 0) throw Fault{Fault::kValueUnwritten, row};
  std::int64_t shown[2] = {-1, -1};
  int count = history.init_value[history.loc[row]] == history.read_value[row] ? 1 : 0;
  for (std::int32_t w = 0; w < history.size() && count < 2; ++w) {
    if (w != row && writes(history.op[w]) && history.loc[w] == history.loc[row] &&
        history.written_value[w] == history.read_value[row]) {
      shown[count++] = w;
    }
  }
  throw Fault{Fault::kValueAmbiguous, row, candidates, shown[0], shown[1]};
}

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

Resolved resolve(const Written& history, std::span<const std::int32_t> rf_symbol,
                 std::span<const std::int32_t> defined_at,
                 const std::array<Reference, kDependencyKinds>& dependencies) {
  constexpr std::int32_t kAhead = 16;
  const std::int32_t n = history.size();
  Resolved out;
  out.rf.assign(static_cast<std::size_t>(n), kInitial);
  const WritesByValue table(history);
  for (std::int32_t row = 0; row < n; ++row) {
    if (row + kAhead < n && reads(history.op[row + kAhead]) && rf_symbol[row + kAhead] == kByValue) {
      table.prefetch(history.loc[row + kAhead], history.read_value[row + kAhead]);
    }
    if (!reads(history.op[row])) continue;
    if (rf_symbol[row] != kByValue) {
      out.rf[row] = named_writer(history, row, rf_symbol[row], defined_at);
      continue;
    }
    const Choice choice = history.read_value[row] == kNoValue ? Choice{} : choose(history, table, row);
    if (choice.writer == kByValue) fail_by_value(history, row, choice.candidates);
    out.rf[row] = choice.writer;
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

Ints determined_by_value(const Written& history) {
  const WritesByValue table(history);
  Ints writer(static_cast<std::size_t>(history.size()), kByValue);
  for (std::int32_t row = 0; row < history.size(); ++row) {
    if (reads(history.op[row]) && history.read_value[row] != kNoValue) {
      writer[row] = choose(history, table, row).writer;
    }
  }
  return writer;
}

}  // namespace porf::formats
