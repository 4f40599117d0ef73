// A history as it was written down, before references are resolved: columns, names, and who mentions whom.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
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
  std::vector<std::int32_t> tag;         // a number of `tags`, -1 for none; as long as the last row that has one
  Names threads, locations, symbols, tags;

  std::int64_t size() const { return static_cast<std::int64_t>(thread.size()); }
  std::int32_t last_row() const { return static_cast<std::int32_t>(thread.size()) - 1; }

  std::int32_t location(std::string_view name) {
    const std::int32_t number = locations.intern(name);
    if (static_cast<std::size_t>(number) == init_value.size()) {
      init_value.push_back(0);
      init_said.push_back(0);
    }
    return number;
  }

  // Gives the last event an id. The row of the event that has it already, or -1.
  std::int32_t define(std::string_view id) {
    const std::int32_t symbol = symbols.intern(id);
    if (static_cast<std::size_t>(symbol) >= defined_at.size()) defined_at.resize(symbols.size(), -1);
    if (defined_at[symbol] >= 0) return defined_at[symbol];
    defined_at[symbol] = last_row();
    id_symbol.push_back(symbol);
    id_row.push_back(last_row());
    return -1;
  }

  // What the last event says beyond its order: words with one blank between them.
  void tag_last(std::string_view words) {
    tag.resize(static_cast<std::size_t>(size()), -1);
    tag.back() = tags.intern(words);
  }

  void mention(int kind, std::string_view id) {
    mentions[kind].symbol.push_back(symbols.intern(id));
    mentions[kind].row.push_back(last_row());
  }
};

}  // namespace porf::formats
