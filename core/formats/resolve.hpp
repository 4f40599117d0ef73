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

// Throws a Fault whose place is a row. `defined_at` gives each symbol's row, or -1. Where more than one write has the
// value that is read, rf is kOpen.
Resolved resolve(const Written& history, std::span<const std::int32_t> rf_symbol,
                 std::span<const std::int32_t> defined_at, const std::array<Reference, kDependencyKinds>& dependencies);

// The rows whose writer is open (kOpen), and the writes that each may have read: rows, kInitial for the initial value.
struct Candidates {
  Ints row;
  Large<std::int64_t> end;  // of each row's part of `writer`
  Ints writer;
};
Candidates candidates(const Written& history, std::span<const std::int32_t> rf);

// The same as resolve for columns that have rows: what is open and has one candidate reads that.
void settle(const Written& history, std::span<std::int32_t> rf);

// For each reading row: the writer that its value determines (kInitial, or a row), or kByValue where none is. `rf` says
// who reads starts that nobody knows.
Ints determined_by_value(const Written& history, std::span<const std::int32_t> rf);

}  // namespace porf::formats
