// One permutation, applied to every column that has an entry a row, and to every list of rows.
#include "logs/order.hpp"

#include <algorithm>
#include <numeric>

namespace porf::logs {

namespace {

template <typename T>
void permute(Large<T>& column, const Ints& old_row, T empty) {
  if (column.empty()) return;
  column.resize(old_row.size(), empty);
  Large<T> out(old_row.size());
  for (std::size_t row = 0; row < old_row.size(); ++row) out[row] = column[old_row[row]];
  column.swap(out);
}

// Lists of entries that each belong to a row; the rows ascend again in the end.
template <typename... Lists>
void remap(Ints& rows, const Ints& new_row, Lists&... lists) {
  for (std::int32_t& row : rows) row = new_row[row];
  Ints order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&rows](std::int32_t a, std::int32_t b) { return rows[a] < rows[b]; });
  permute(rows, order, 0);
  (permute(lists, order, 0), ...);
}

}  // namespace

void put_in_order_of_time(formats::Raw& raw) {
  formats::Said& said = raw.said;
  if (said.start.empty()) return;
  const auto n = static_cast<std::size_t>(raw.size());
  Large<std::int64_t> key(n, INT64_MIN), last(static_cast<std::size_t>(raw.threads.size()), INT64_MIN);
  for (std::size_t row = 0; row < n; ++row) {
    std::int64_t& own = last[raw.thread[row]];
    if (row < said.start.size() && said.start[row] != formats::kNoValue) own = said.start[row];
    key[row] = own;
  }
  Ints old_row(n), new_row(n);
  std::iota(old_row.begin(), old_row.end(), 0);
  std::stable_sort(old_row.begin(), old_row.end(), [&key](std::int32_t a, std::int32_t b) { return key[a] < key[b]; });
  for (std::size_t row = 0; row < n; ++row) new_row[old_row[row]] = static_cast<std::int32_t>(row);
  for (Ints* column : {&raw.thread, &raw.loc, &raw.rf_symbol, &raw.line}) permute(*column, old_row, 0);
  for (auto* column : {&raw.op, &raw.order, &said.read_style, &said.written_style}) {
    permute(*column, old_row, std::uint8_t{0});
  }
  for (auto* column : {&raw.read_value, &raw.written_value, &said.start, &said.end}) {
    permute(*column, old_row, formats::kNoValue);
  }
  permute(raw.tag, old_row, -1);
  for (std::int32_t& row : raw.defined_at) row = row < 0 ? row : new_row[row];
  remap(raw.id_row, new_row, raw.id_symbol);
  for (formats::Mentions& list : raw.mentions) remap(list.row, new_row, list.symbol);
  remap(said.note_row, new_row, said.note_key, said.note_text);
}

}  // namespace porf::logs
