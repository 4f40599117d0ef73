// The check of ready-made columns (the npz form): one pass, and the first wrong entry by array and index.
#pragma once

#include <cstdint>
#include <span>

#include "formats/fault.hpp"

namespace porf::formats {

struct Columns {
  std::span<const std::int32_t> thread;
  std::span<const std::uint8_t> op;
  std::span<const std::int32_t> loc;
  std::span<const std::uint8_t> order;
  std::span<std::int32_t> rf;
  std::span<std::int64_t> read_value;     // empty where not recorded
  std::span<std::int64_t> written_value;  // empty where not recorded
  std::span<const std::int64_t> init_value;
  std::int32_t threads = 0;
};

// Throws a Fault (an index, the value there). Entries that mean nothing become -1 or
// kNoValue: the rf of an event that reads nothing, the values of an event that has none.
void check_columns(const Columns& columns);

// One dependency relation: pairs of rows within a thread, the source first.
void check_pairs(std::span<const std::int32_t> thread, std::span<const std::int32_t> from,
                 std::span<const std::int32_t> to);

}  // namespace porf::formats
