// A small reader of JSON: strict about how objects are written, and indifferent to all that nobody wants.
#include "logs/objects.hpp"

#include <algorithm>

namespace porf::logs {

namespace {

bool ends_word(char c) { return c == ',' || c == '}' || c == ']' || c == ' ' || c == '\t' || c == '\r'; }

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
  }
  put(0x80 | (code & 0x3F));
}

// The four digits of \uXXXX, or -1.
std::int32_t hex4(const char* at, const char* stop) {
  if (stop - at < 4) return -1;
  std::int32_t out = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = at[i];
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return -1;
    out = out * 16 + digit;
  }
  return out;
}

bool is_plain_word(std::string_view word) {
  if (word == "true" || word == "false" || word == "null") return true;
  return !word.empty() && (word[0] == '-' || (word[0] >= '0' && word[0] <= '9')) &&
         word.find_first_not_of("0123456789+-.eE") == word.npos;
}

}  // namespace

void ObjectReader::fail(Fault::Code code) const { throw WrongLine{code, between(at_, at_ < stop_ ? at_ + 1 : at_)}; }

void ObjectReader::blanks() {
  while (at_ < stop_ && (is_blank(*at_) || *at_ == '\r')) ++at_;
}

bool ObjectReader::take(char c) {
  blanks();
  if (at_ == stop_ || *at_ != c) return false;
  ++at_;
  blanks();
  return true;
}

void ObjectReader::need(char c) {
  if (!take(c)) fail(at_ == stop_ ? Fault::kLogCut : Fault::kLogObject);
}

// A string; what it says is in the line or, with escapes, in `unescaped`.
std::string_view ObjectReader::string(std::string& unescaped) {
  const char* begin = ++at_;
  while (at_ < stop_ && *at_ != '"' && *at_ != '\\') {
    if (static_cast<unsigned char>(*at_) < 0x20) fail();
    ++at_;
  }
  if (at_ < stop_ && *at_ == '\\') {
    unescaped.assign(begin, at_);
    unescape(unescaped);
    return unescaped;
  }
  if (at_ == stop_) fail(Fault::kLogCut);
  return between(begin, at_++);
}

void ObjectReader::unescape(std::string& out) {
  static constexpr std::string_view kMarks = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
  while (at_ < stop_ && *at_ != '"') {
    if (static_cast<unsigned char>(*at_) < 0x20) fail();
    if (*at_ != '\\') {
      out += *at_++;
      continue;
    }
    if (++at_ == stop_) fail(Fault::kLogCut);
    const std::size_t mark = kMarks.find(*at_);
    if (mark != kMarks.npos) {
      out += kMeant[mark];
      ++at_;
      continue;
    }
    std::int32_t code = *at_ == 'u' ? hex4(at_ + 1, stop_) : -1;
    if (code >= 0xD800 && code < 0xDC00 && stop_ - at_ > 10 && at_[5] == '\\' && at_[6] == 'u') {
      const std::int32_t low = hex4(at_ + 7, stop_);
      if (low < 0xDC00 || low > 0xDFFF) fail();
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      at_ += 6;
    }
    if (code < 0 || (code >= 0xD800 && code < 0xE000)) fail();
    append_utf8(out, static_cast<std::uint32_t>(code));
    at_ += 5;
  }
  if (at_ == stop_) fail(Fault::kLogCut);
  ++at_;
}

// The cell of a key; programs write keys in the same order every time.
int ObjectReader::number_of(std::string_view path) {
  if (expected_ < keys_.size() && keys_[expected_] == path) return static_cast<int>(expected_++);
  const auto found = std::find(keys_.begin(), keys_.end(), path);
  if (found == keys_.end()) return -1;
  expected_ = static_cast<std::size_t>(found - keys_.begin()) + 1;
  return static_cast<int>(found - keys_.begin());
}

void ObjectReader::object(std::string_view outer, Cells& cells, int depth) {
  if (depth > kDeepest) fail();
  need('{');
  if (take('}')) return;
  do {
    if (at_ == stop_) fail(Fault::kLogCut);
    if (*at_ != '"') fail();
    const std::string_view key = string(scratch_);
    need(':');
    if (outer.empty()) {
      value(key, cells, depth);
    } else {
      value(std::string(outer) + "." + std::string(key), cells, depth);
    }
  } while (take(','));
  need('}');
}

void ObjectReader::value(std::string_view path, Cells& cells, int depth) {
  if (at_ == stop_) fail(Fault::kLogCut);
  const int number = number_of(path);
  if (number >= 0 && cells[number].there) fail(Fault::kRepeatedKey);
  if (*at_ == '{') {
    const std::string prefix(path);
    const bool wanted = std::any_of(keys_.begin(), keys_.end(), [&](const std::string& key) {
      return key.size() > prefix.size() && key.starts_with(prefix) && key[prefix.size()] == '.';
    });
    return wanted ? object(prefix, cells, depth + 1) : skip(depth + 1);
  }
  if (*at_ == '[')
    return list(number < 0 ? nullptr : &cells[number], number < 0 ? scratch_ : texts_[number], depth + 1);
  Cell unwanted;
  scalar(number < 0 ? unwanted : cells[number], number < 0 ? scratch_ : texts_[number]);
}

void ObjectReader::scalar(Cell& cell, std::string& text) {
  const char* begin = at_;
  if (at_ < stop_ && *at_ == '"') {
    cell.text = string(text);
    cell.place = between(begin, at_);
    cell.there = true;
    return;
  }
  while (at_ < stop_ && !ends_word(*at_)) ++at_;
  cell.text = cell.place = between(begin, at_);
  cell.there = cell.text != "null";
  if (at_ == stop_) fail(Fault::kLogCut);
  if (is_plain_word(cell.text)) return;
  at_ = begin;
  fail();
}

// A list of names or numbers: its items with commas between them.
void ObjectReader::list(Cell* cell, std::string& text, int depth) {
  if (depth > kDeepest) fail();
  const char* begin = at_;
  std::string items, item;
  need('[');
  if (!take(']')) {
    bool first = true;
    do {
      if (at_ < stop_ && (*at_ == '{' || *at_ == '[')) {
        if (cell != nullptr) fail();
        skip(depth + 1);
        continue;
      }
      Cell one;
      scalar(one, item);
      if (!first) items += ',';
      if (one.there) items += one.text;
      first = false;
    } while (take(','));
    need(']');
  }
  if (cell == nullptr) return;
  text = items;
  *cell = {text, between(begin, at_), true};
}

void ObjectReader::skip(int depth) {
  if (depth > kDeepest) fail();
  if (*at_ == '[') return list(nullptr, scratch_, depth);
  need('{');
  if (take('}')) return;
  do {
    if (at_ == stop_) fail(Fault::kLogCut);
    if (*at_ != '"') fail();
    string(scratch_);
    need(':');
    if (at_ == stop_) fail(Fault::kLogCut);
    if (*at_ == '{' || *at_ == '[') {
      skip(depth + 1);
    } else {
      Cell unwanted;
      scalar(unwanted, scratch_);
    }
  } while (take(','));
  need('}');
}

Line ObjectReader::read(std::string_view text, bool last, Cells& cells) {
  const std::size_t newline = text.find('\n');
  if (newline == text.npos && !last) return {};
  Line line;
  at_ = text.data();
  stop_ = at_ + std::min(newline, text.size());
  line.next = newline == text.npos ? stop_ : stop_ + 1;
  for (Cell& cell : cells) cell.there = false;
  expected_ = 0;
  blanks();
  // A list of objects, a line each, is as good as lines of objects.
  if (take('[') || take(']')) blanks();
  if (at_ == stop_) return line;
  if (*at_ != '{') fail();
  object({}, cells, 0);
  take(',');
  take(']');
  if (at_ != stop_) fail();
  line.event = true;
  return line;
}

}  // namespace porf::logs
