// What readers of whole files hand over: the columns of an execution, or what is wrong with the file.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "formats/raw.hpp"

namespace porf::bindings {

using formats::Fault;
using Pair = std::pair<Array<std::int32_t>, Array<std::int32_t>>;
using PackedOut = std::pair<nb::bytes, Array<std::int64_t>>;

// What a reader has gathered of said.hpp, and what a writer takes; columns without anything are empty.
struct SaidOut {
  PackedOut values;
  Array<std::uint8_t> read_style, written_style, init_style;
  Array<std::int64_t> start, end;
  int decimals = 0;
  PackedOut note_keys, note_texts;
  Array<std::int32_t> note_row, note_key, note_text;
};

// What a whole file says: the columns, or what is wrong with it.
struct Parsed {
  std::optional<Fault> parse_fault, resolve_fault;
  Array<std::int32_t> line, id_rows, thread, loc, rf;
  Array<std::uint8_t> op, order;
  Array<std::int64_t> read_value, written_value, init_value;
  PackedOut id_names, thread_names, loc_names;
  std::vector<Pair> dependencies;
  Array<std::int32_t> tag;
  PackedOut tag_names;
  SaidOut said;
};

// Resolves what a reader has read, or says where it stopped.
Parsed finished(formats::Raw& raw, const std::optional<Fault>& parse_fault);

}  // namespace porf::bindings
