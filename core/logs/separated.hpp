// Lines of fields with a separator between them, quoted where they contain it (CSV, TSV), or with blanks between them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "logs/cells.hpp"

namespace porf::logs {

class SeparatedReader : public LineReader {
 public:
  // A blank as separator stands for any number of blanks and tabs. `cell_of`: the cell of each column, or -1. `width`:
  // how many columns every line has, 0 if they vary.
  SeparatedReader(char separator, std::vector<std::int32_t> cell_of, std::int32_t width)
      : separator_(separator), cell_of_(std::move(cell_of)), width_(width) {}

  Line read(std::string_view text, bool last, Cells& cells) override;

  // The fields of one line, in their order.
  static Cells fields(char separator, std::string_view line);

 private:
  const char* field(const char* at, const char* stop, bool last, Cell& out, std::string& unquoted, int& newlines);
  const char* quoted(const char* at, const char* stop, bool last, Cell& out, std::string& unquoted, int& newlines);
  bool ends(char c) const { return c == separator_ || c == '\n' || (separator_ == ' ' && c == '\t'); }

  char separator_;
  std::vector<std::int32_t> cell_of_;
  std::int32_t width_;
  std::vector<std::string> unquoted_;  // of each cell, where quotes are doubled in it
};

}  // namespace porf::logs
