// Tables that are in memory already: columns of numbers or of words, of which a row is a line of a log.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "formats/write.hpp"
#include "logs/cells.hpp"

namespace porf::logs {

// Words by number, -1 for none.
struct Coded {
  std::span<const std::int32_t> codes;
  formats::PackedNames words;
};

struct FrameColumn {
  std::variant<std::span<const std::int64_t>, std::span<const std::uint64_t>, std::span<const double>, Coded> values;
  std::span<const std::uint8_t> missing;  // 1 where there is nothing; empty if there is something everywhere
};

class Frame {
 public:
  explicit Frame(std::vector<FrameColumn> columns) : columns_(std::move(columns)), digits_(columns_.size()) {}

  // The cells of a row, one a column.
  void read(std::size_t row, Cells& cells);

 private:
  std::vector<FrameColumn> columns_;
  std::vector<std::array<char, 32>> digits_;  // of each column: a number as text
};

}  // namespace porf::logs
