// From what was written to who is meant: names of writers and values become rows. Shared by every format.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "formats/fault.hpp"
#include "formats/raw.hpp"

namespace porf::formats {

// A borrowed view of the columns that resolution looks at.
struct Written {
  std::span<const std::int32_t> thread;
  std::span<const std::uint8_t> op;
  std::span<const std::int32_t> loc;
  std::span<const std::int64_t> read_value;
  std::span<const std::int64_t> written_value;
  std::span<const std::int64_t> init_value;

  std::int32_t size() const { return static_cast<std::int32_t>(op.size()); }
};

struct Reference {
  std::span<const std::int32_t> symbol;
  std::span<const std::int32_t> row;
};

struct Resolved {
  Ints rf;
  std::array<Ints, kDependencyKinds> sources;
};

// Throws a Fault whose place is a row. `defined_at` gives each symbol's row, or -1.
Resolved resolve(const Written& history, std::span<const std::int32_t> rf_symbol,
                 std::span<const std::int32_t> defined_at, const std::array<Reference, kDependencyKinds>& dependencies);

// For each reading row: the writer that its value alone determines (kInitial, or a row), or kByValue where none is.
Ints determined_by_value(const Written& history);

}  // namespace porf::formats
