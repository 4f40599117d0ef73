// A history as it was written down, before references are resolved: columns, names, and who mentions whom.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "execution.hpp"
#include "formats/fault.hpp"
#include "formats/names.hpp"
#include "formats/said.hpp"
#include "memory.hpp"

namespace porf::formats {

inline constexpr std::string_view kRest = "*";  // the other locations, where an init line names one
inline constexpr std::string_view kAny = "?";   // a writer that is not known, where an id could stand

struct Mentions {
  Ints symbol;  // the name that is mentioned
  Ints row;     // by this event; ascending
};

struct Raw {
  Ints thread;
  Large<std::uint8_t> op;
  Ints loc;
  Large<std::uint8_t> order;
  Large<std::int64_t> read_value;
  Large<std::int64_t> written_value;
  Ints rf_symbol;  // kByValue, kFromInit, kFromAny, or a symbol
  Ints line;       // 1-based
  Ints id_symbol;  // of the events that have an id,
  Ints id_row;     // and their rows, ascending
  std::array<Mentions, kDependencyKinds> mentions;
  Large<std::int64_t> init_value;  // one a location
  Large<std::uint8_t> init_said;   // whether an init line said so
  std::optional<Value> init_rest;  // how the other locations start, where a line says it; 0 otherwise
  Ints defined_at;                 // symbol -> row, or -1
  Ints tag;                        // a number of `tags`, -1 for none; as long as the last row that has one
  Names threads, locations, symbols, tags;
  Said said;

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

  void last_read(const Value& value) {
    read_value.back() = value.code;
    Said::set_style(said.read_style, last_row(), value.style);
  }

  void last_written(const Value& value) {
    written_value.back() = value.code;
    Said::set_style(said.written_style, last_row(), value.style);
  }

  void initial(std::int32_t number, const Value& value) {
    init_value[number] = value.code;
    init_said[number] = 1;
    Said::set_style(said.init_style, number, value.style);
  }

  // The start of a location, or of all that no other line speaks of (`*`); false if a line has said it before.
  bool starts(std::string_view name, const Value& value) {
    if (name == kRest) {
      if (init_rest) return false;
      init_rest = value;
      return true;
    }
    const std::int32_t number = location(name);
    if (init_said[number] != 0) return false;
    initial(number, value);
    return true;
  }

  // When all lines are read: the locations of which none spoke.
  void finish_starts() {
    if (!init_rest) return;
    for (std::int32_t x = 0; x < static_cast<std::int32_t>(init_value.size()); ++x) {
      if (init_said[x] == 0) initial(x, *init_rest);
    }
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
