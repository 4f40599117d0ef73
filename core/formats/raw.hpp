// A history as it was written down, before references are resolved: columns, names, and who mentions whom.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "execution.hpp"
#include "formats/fault.hpp"
#include "formats/names.hpp"

namespace porf::formats {

struct Mentions {
  std::vector<std::int32_t> symbol;  // the name that is mentioned
  std::vector<std::int32_t> row;     // by this event; ascending
};

struct Raw {
  std::vector<std::int32_t> thread;
  std::vector<std::uint8_t> op;
  std::vector<std::int32_t> loc;
  std::vector<std::uint8_t> order;
  std::vector<std::int64_t> read_value;
  std::vector<std::int64_t> written_value;
  std::vector<std::int32_t> rf_symbol;  // kByValue, kFromInit, or a symbol
  std::vector<std::int32_t> line;       // 1-based
  std::vector<std::int32_t> id_symbol;  // of the events that have an id,
  std::vector<std::int32_t> id_row;     // and their rows, ascending
  std::array<Mentions, kDependencyKinds> mentions;
  std::vector<std::int64_t> init_value;  // one a location
  std::vector<std::uint8_t> init_said;   // whether an init line said so
  std::vector<std::int32_t> defined_at;  // symbol -> row, or -1
  Names threads, locations, symbols;

  std::int64_t size() const { return static_cast<std::int64_t>(thread.size()); }
};

}  // namespace porf::formats
