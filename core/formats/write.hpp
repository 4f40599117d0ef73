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

struct Printable {
  Written events;
  std::span<const std::uint8_t> order;
  std::span<const std::int32_t> rf;  // kByValue where nothing needs to be said
  PackedNames threads, locations, ids;
  std::span<const std::int32_t> id_rows;  // ascending, one an id
  std::array<Pairs, kDependencyKinds> dependencies;
  std::span<const std::int32_t> tag;  // empty, or a number of `tags` a row, -1 for none
  PackedNames tags;
};

std::string write_text(const Printable& history);
std::string write_json(const Printable& history);

}  // namespace porf::formats
