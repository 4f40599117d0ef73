// See columns.hpp. Every index is checked before it is followed: the columns come from a file.
#include "formats/columns.hpp"

#include <algorithm>

#include "allowance.hpp"
#include "execution.hpp"
#include "formats/resolve.hpp"

namespace porf::formats {

namespace {

void check_row(const Columns& c, std::int64_t i) {
  const auto locations = static_cast<std::int64_t>(c.init_value.size());
  if (c.thread[i] < 0 || c.thread[i] >= c.threads) throw Fault{Fault::kBadThreadNumber, i, 1, c.thread[i], c.threads};
  if (c.op[i] > kFence) throw Fault{Fault::kBadOpNumber, i, 1, c.op[i]};
  if (c.order[i] > kSc) throw Fault{Fault::kBadOrderNumber, i, 1, c.order[i]};
  if (c.op[i] == kFence) {
    if (c.loc[i] != -1) throw Fault{Fault::kLocationOfFence, i, 1, c.loc[i]};
  } else if (c.loc[i] < 0 || c.loc[i] >= locations) {
    throw Fault{c.loc[i] == -1 ? Fault::kNoLocation : Fault::kBadLocationNumber, i, 1, c.loc[i], locations};
  }
}

void check_read(const Columns& c, std::int64_t i) {
  const auto n = static_cast<std::int64_t>(c.op.size());
  const std::int32_t writer = c.rf[i];
  if (writer < kOpen || writer >= n) throw Fault{Fault::kBadRfRow, i, 1, writer, n};
  if (writer >= 0) {
    if (c.op[writer] != kWrite && c.op[writer] != kUpdate) throw Fault{Fault::kRfNotAWrite, i, 1, writer};
    if (c.loc[writer] != c.loc[i]) throw Fault{Fault::kRfOtherLocation, i, 1, writer};
  }
  if (writer == kOpen || c.read_value.empty() || c.read_value[i] == kNoValue) return;
  std::int64_t wrote = kNoValue;
  if (writer < 0) {
    wrote = c.init_value[c.loc[i]];
  } else if (!c.written_value.empty()) {
    wrote = c.written_value[writer];
  }
  if (wrote != kNoValue && wrote != c.read_value[i]) throw Fault{Fault::kRfValue, i, 1, c.read_value[i], wrote};
}

// What is open needs candidates, and a start that nobody knows is one value.
void settle_open(const Columns& c) {
  const bool open = std::find(c.rf.begin(), c.rf.end(), kOpen) != c.rf.end();
  if (!open && std::find(c.init_value.begin(), c.init_value.end(), kNoValue) == c.init_value.end()) return;
  Large<std::int64_t> none;
  if (c.read_value.empty() || c.written_value.empty()) none.assign(c.op.size(), kNoValue);
  const auto recorded = [&](std::span<const std::int64_t> column) {
    return column.empty() ? std::span<const std::int64_t>(none) : column;
  };
  settle({c.thread, c.op, c.loc, recorded(c.read_value), recorded(c.written_value), c.init_value}, c.rf);
}

}  // namespace

void check_columns(const Columns& c) {
  const auto n = static_cast<std::int64_t>(c.op.size());
  Toil toil;
  for (std::int64_t i = 0; i < n; ++i) {
    toil.demand();
    check_row(c, i);
  }
  for (std::int64_t i = 0; i < n; ++i) {
    toil.demand(2);
    const bool reads = c.op[i] == kRead || c.op[i] == kUpdate, writes = c.op[i] == kWrite || c.op[i] == kUpdate;
    if (!c.written_value.empty() && !writes) c.written_value[i] = kNoValue;
    if (reads) {
      check_read(c, i);
      continue;
    }
    c.rf[i] = kInitial;
    if (!c.read_value.empty()) c.read_value[i] = kNoValue;
  }
  settle_open(c);
}

void check_pairs(std::span<const std::int32_t> thread, std::span<const std::int32_t> from,
                 std::span<const std::int32_t> to) {
  const auto n = static_cast<std::int64_t>(thread.size());
  for (std::size_t k = 0; k < from.size(); ++k) {
    const auto index = static_cast<std::int64_t>(k);
    if (from[k] < 0 || from[k] >= n) throw Fault{Fault::kBadSourceRow, index, 1, from[k], n};
    if (to[k] < 0 || to[k] >= n) throw Fault{Fault::kBadTargetRow, index, 1, to[k], n};
    if (thread[from[k]] != thread[to[k]]) throw Fault{Fault::kDependencyAcrossThreads, index, 1, from[k], to[k]};
    if (from[k] >= to[k]) throw Fault{Fault::kDependencyOnLater, index, 1, from[k], to[k]};
  }
}

}  // namespace porf::formats
