// One pass over a line: only the fields that somebody wants are looked at, and nothing is copied but doubled quotes.
#include "logs/separated.hpp"

namespace porf::logs {

namespace {

constexpr std::size_t kLongestQuoted = std::size_t{1} << 20;  // a longer field has lost its closing quote

}  // namespace

// Reads a field; returns where it ends, at a separator, a newline or the stop; null if more of the text is needed.
const char* SeparatedReader::field(const char* at, const char* stop, bool last, Cell& out, std::string& unquoted,
                                   int& newlines) {
  while (at < stop && is_blank(*at) && *at != separator_) ++at;
  if (at < stop && *at == '"') return quoted(at, stop, last, out, unquoted, newlines);
  const char* begin = at;
  while (at < stop && !ends(*at)) ++at;
  if (at == stop && !last) return nullptr;
  const char* end = at;
  while (end > begin && (is_blank(end[-1]) || end[-1] == '\r')) --end;
  out = {between(begin, end), between(begin, end), true};
  return at;
}

const char* SeparatedReader::quoted(const char* at, const char* stop, bool last, Cell& out, std::string& unquoted,
                                    int& newlines) {
  const char *open = at, *begin = ++at;
  bool doubled = false;
  for (;; ++at) {
    const bool long_enough = static_cast<std::size_t>(at - open) > kLongestQuoted;
    if (at == stop && !last && !long_enough) return nullptr;
    if (at == stop || long_enough) throw WrongLine{Fault::kLogQuote, between(open, open + 1)};
    if (*at == '\n') ++newlines;
    if (*at != '"') continue;
    if (at + 1 == stop && !last) return nullptr;
    if (at + 1 == stop || at[1] != '"') break;
    doubled = true;
    ++at;
  }
  out = {between(begin, at), between(open, at + 1), true};
  if (doubled) {
    unquoted.clear();
    for (const char* p = begin; p < at; ++p) {
      unquoted += *p;
      if (*p == '"') ++p;
    }
    out.text = unquoted;
  }
  ++at;
  while (at < stop && (*at == '\r' || is_blank(*at)) && *at != separator_) ++at;
  if (at == stop && !last) return nullptr;
  if (at < stop && !ends(*at)) throw WrongLine{Fault::kLogQuote, between(at, at + 1)};
  return at;
}

Line SeparatedReader::read(std::string_view text, bool last, Cells& cells) {
  const char *at = text.data(), *stop = at + text.size();
  const bool blanks = separator_ == ' ';
  Line line;
  std::string scratch;
  Cell unwanted, cell;
  unquoted_.resize(cells.size());
  for (Cell& old : cells) old.there = false;
  for (std::int32_t column = 0;; ++column) {
    if (blanks) {
      while (at < stop && (is_blank(*at) || *at == '\r')) ++at;
      if (column > 0 && (at == stop || *at == '\n')) {
        if (at == stop && !last) return {};
        if (column < width_) throw WrongLine{Fault::kLogCut, between(at, at)};
        break;
      }
    }
    const std::int32_t number = column < static_cast<std::int32_t>(cell_of_.size()) ? cell_of_[column] : -1;
    at = field(at, stop, last, cell, number < 0 ? scratch : unquoted_[number], line.newlines);
    if (at == nullptr) return {};
    if (number >= 0) cells[number] = cell;
    const bool end = at == stop || *at == '\n', empty = cell.place.empty();
    if (end && column == 0 && empty) {
      line.next = at == stop ? stop : at + 1;
      return line;
    }
    // A separator at the end of the line is no field.
    if (width_ > 0 && column >= width_ && !(end && empty)) throw WrongLine{Fault::kLogExtra, cell.place};
    if (end && column + 1 < width_) throw WrongLine{Fault::kLogCut, between(at, at)};
    if (end) break;
    if (!blanks) ++at;
  }
  line.next = at == stop ? stop : at + 1;
  line.event = true;
  return line;
}

Cells SeparatedReader::fields(char separator, std::string_view line) {
  SeparatedReader reader(separator, {}, 0);
  const char *at = line.data(), *stop = at + line.size();
  Cells out;
  int newlines = 0;
  std::string unquoted;
  while (true) {
    while (separator == ' ' && at < stop && (is_blank(*at) || *at == '\r')) ++at;
    if (separator == ' ' && (at == stop || *at == '\n')) break;
    const char* begin = at;
    try {
      at = reader.field(at, stop, true, out.emplace_back(), unquoted, newlines);
    } catch (const WrongLine&) {  // what is left is one field
      out.back() = {between(begin, stop), between(begin, stop), true};
      break;
    }
    if (out.back().place.size() > out.back().text.size() + 2)
      out.back().text = out.back().place;  // rare: doubled quotes
    if (at == stop || *at == '\n') break;
    if (separator != ' ') ++at;
  }
  return out;
}

}  // namespace porf::logs
