// Numbers become text, which costs little beside what is done with it: so frames and files mean the same.
#include "logs/frame.hpp"

#include <charconv>
#include <cmath>

namespace porf::logs {

void Frame::read(std::size_t row, Cells& cells) {
  for (std::size_t at = 0; at < columns_.size(); ++at) {
    const FrameColumn& column = columns_[at];
    Cell& cell = cells[at];
    char* begin = digits_[at].data();
    char* end = begin;
    const auto write = [&](auto number) { end = std::to_chars(begin, begin + digits_[at].size(), number).ptr; };
    cell.there = column.missing.empty() || column.missing[row] == 0;
    cell.text = {};
    if (const auto* coded = std::get_if<Coded>(&column.values)) {
      cell.there = cell.there && coded->codes[row] >= 0;
      if (cell.there) cell.text = coded->words[coded->codes[row]];
      cell.place = {begin, 1};
      continue;
    }
    if (const auto* numbers = std::get_if<std::span<const std::int64_t>>(&column.values)) write((*numbers)[row]);
    if (const auto* numbers = std::get_if<std::span<const std::uint64_t>>(&column.values)) write((*numbers)[row]);
    if (const auto* numbers = std::get_if<std::span<const double>>(&column.values)) {
      const double number = (*numbers)[row];
      cell.there = cell.there && !std::isnan(number);
      // A whole number is written as one: 1e16 is no time and no value.
      if (std::abs(number) < 9.2e18 && number == std::floor(number)) {
        write(static_cast<std::int64_t>(number));
      } else {
        end = std::to_chars(begin, begin + digits_[at].size(), number).ptr;
      }
    }
    cell.text = between(begin, end);
    cell.place = {begin, 1};
  }
}

}  // namespace porf::logs
