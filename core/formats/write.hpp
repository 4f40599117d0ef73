// Writes events back as lines, in the text format or as JSON Lines: the same fields in two spellings.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "formats/raw.hpp"
#include "formats/resolve.hpp"

namespace porf::formats {

// Names laid end to end; for JSON each is already a quoted string.
struct PackedNames {
  std::string_view bytes;
  std::span<const std::int64_t> offsets;  // one more than there are names
  std::string_view operator[](std::int64_t i) const {
    return bytes.substr(static_cast<std::size_t>(offsets[i]), static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
  }
};

struct Pairs {
  std::span<const std::int32_t> from;
  std::span<const std::int32_t> to;  // ascending
};

// What said.hpp has of each row. Columns of styles may be empty.
struct PrintableSaid {
  PackedNames values;  // for JSON, words are quoted strings
  std::span<const std::uint8_t> read_style, written_style;
  std::span<const std::int64_t> start, end;  // empty, or one a row
  int decimals = 0;
  PackedNames note_keys, note_texts;  // for JSON quoted strings, for text escaped
  std::span<const std::int32_t> note_row, note_key, note_text;
};

struct Printable {
  Written events;
  std::span<const std::uint8_t> order;
  std::span<const std::int32_t> rf;  // kByValue where nothing needs to be said; kFromAny
  PackedNames threads, locations, ids;
  std::span<const std::int32_t> id_rows;  // ascending, one an id
  std::array<Pairs, kDependencyKinds> dependencies;
  std::span<const std::int32_t> tag;  // empty, or a number of `tags` a row, -1 for none
  PackedNames tags;
  PrintableSaid said;
};

std::string write_text(const Printable& history);
std::string write_json(const Printable& history);

}  // namespace porf::formats
