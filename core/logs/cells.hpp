// A line of a log as cells, whatever way its program has of writing lines: who reads lines, and what is wrong with one.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/fault.hpp"

namespace porf::logs {

using formats::Fault;

struct Cell {
  std::string_view text;   // what it says, without quotes and escapes
  std::string_view place;  // where it stands
  bool there = false;
};
using Cells = std::vector<Cell>;

// Thrown: this line is wrong at this place. `next` is where the next one begins, if that is not at the next newline.
struct WrongLine {
  Fault::Code code;
  std::string_view place;
  const char* next = nullptr;
  std::int64_t first = 0;
};

struct Line {
  const char* next = nullptr;  // where the next one begins; null if the text ends before this one does
  bool event = false;          // whether it says anything
  int newlines = 1;            // how many of them it takes
};

class LineReader {
 public:
  virtual ~LineReader() = default;

  // Reads a line into the cells that somebody wants. `last`: nothing comes after the text.
  virtual Line read(std::string_view text, bool last, Cells& cells) = 0;
};

// The text from one place to another.
inline std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

inline const char* after_newline(const char* at, const char* stop) {
  const std::string_view rest = between(at, stop);
  const std::size_t newline = rest.find('\n');
  return newline == rest.npos ? stop : at + newline + 1;
}

}  // namespace porf::logs
