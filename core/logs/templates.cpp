// A template is matched from left to right; where it fails, the last gap takes one character more.
#include "logs/templates.hpp"

#include <algorithm>

namespace porf::logs {

namespace {

// Where a text that stands at a place ends, or null.
const char* after(std::string_view text, const char* at, const char* stop) {
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == ' ') {
      if (at == stop || !is_blank(*at)) return nullptr;
      while (at < stop && is_blank(*at)) ++at;
    } else if (at == stop || *at++ != text[k]) {
      return nullptr;
    }
  }
  return at;
}

}  // namespace

bool TemplateReader::fits(const Template& one, std::string_view line, Cells& cells) {
  const char *at = line.data(), *stop = at + line.size();
  const auto& pieces = one.pieces;
  std::size_t piece = 0, after_gap = 0;
  const char* gap = nullptr;  // where the last gap ends so far
  while (true) {
    const char* next = nullptr;
    if (piece == pieces.size()) {
      if (at == stop) return true;
    } else if (pieces[piece].kind == Piece::kGap) {
      gap = at;
      after_gap = ++piece;
      if (piece == pieces.size()) return true;
      continue;
    } else if (pieces[piece].kind == Piece::kText) {
      next = after(pieces[piece].text, at, stop);
    } else {
      // A hole ends where the text behind it begins, at a blank, or with the line.
      const char* end = at;
      const bool text = piece + 1 < pieces.size() && pieces[piece + 1].kind == Piece::kText;
      while (end < stop && !is_blank(*end) && !(text && end > at && after(pieces[piece + 1].text, end, stop))) ++end;
      if (end > at) {
        next = end;
        if (pieces[piece].cell >= 0) cells[pieces[piece].cell] = {between(at, end), between(at, end), true};
      }
    }
    furthest_ = std::max(furthest_, at);
    if (next != nullptr) {
      at = next;
      ++piece;
    } else if (gap != nullptr && gap < stop) {
      at = ++gap;
      piece = after_gap;
    } else {
      return false;
    }
  }
}

Line TemplateReader::read(std::string_view text, bool last, Cells& cells) {
  const std::size_t newline = text.find('\n');
  if (newline == text.npos && !last) return {};
  Line line;
  std::string_view rest = text.substr(0, newline);
  line.next = newline == text.npos ? text.data() + text.size() : text.data() + newline + 1;
  while (!rest.empty() && (is_blank(rest.front()))) rest.remove_prefix(1);
  while (!rest.empty() && (is_blank(rest.back()) || rest.back() == '\r')) rest.remove_suffix(1);
  if (rest.empty()) return line;
  furthest_ = rest.data();
  for (const Template& one : templates_) {
    for (Cell& cell : cells) cell.there = false;
    if (!fits(one, rest, cells)) continue;
    for (const auto& [cell, said] : one.said) cells[cell] = {said, rest, true};
    line.event = true;
    return line;
  }
  const char* stop = rest.data() + rest.size();
  if (!others_ || (!unless_.empty() && rest.find(unless_) != rest.npos))
    throw WrongLine{Fault::kLogNothingFits, between(furthest_, std::min(furthest_ + 1, stop))};
  return line;
}

}  // namespace porf::logs
