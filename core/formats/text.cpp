// The text parser: a hand-written scanner, one pass, no copies but the first sight of a name.
#include "formats/text.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "execution.hpp"

namespace porf::formats {

namespace {

enum Class : std::uint8_t { kName, kEquals, kBlank, kHash, kNewline, kControl };

constexpr std::array<std::uint8_t, 256> classes() {
  std::array<std::uint8_t, 256> table{};
  for (int c = 0; c < 0x20; ++c) table[c] = kControl;
  table[0x7f] = kControl;
  for (const char c : {' ', '\t', '\r', '\v', '\f'}) table[static_cast<unsigned char>(c)] = kBlank;
  table['#'] = kHash;
  table['='] = kEquals;
  table['\n'] = kNewline;
  return table;
}
constexpr auto kClass = classes();
std::uint8_t class_of(char c) { return kClass[static_cast<unsigned char>(c)]; }

constexpr std::array<std::string_view, 6> kOrders = {"na", "rlx", "acq", "rel", "acq_rel", "sc"};
constexpr std::array<std::string_view, 7> kKeys = {"addr", "data", "ctrl", "lxsx", "id", "rf", "time"};
constexpr int kIdKey = 4, kTimeKey = 6;

int order_of(std::string_view word) {
  const auto found = std::find(kOrders.begin(), kOrders.end(), word);
  return found == kOrders.end() ? -1 : static_cast<int>(found - kOrders.begin());
}

const char* arrow_in(const char* begin, const char* end) {
  for (const char* p = begin; p + 1 < end; ++p) {
    if (p[0] == '-' && p[1] == '>') return p;
  }
  return nullptr;
}

}  // namespace

void TextParser::fail(Fault::Code code, const char* begin, const char* end) const {
  throw Fault{code, begin - start_, std::max<std::int64_t>(end - begin, 1)};
}

void TextParser::parse(std::string_view text) {
  start_ = at_ = text.data();
  stop_ = at_ + text.size();
  while (at_ < stop_) {
    ++line_number_;
    line();
    const void* newline = at_ < stop_ ? std::memchr(at_, '\n', static_cast<std::size_t>(stop_ - at_)) : nullptr;
    at_ = newline == nullptr ? stop_ : static_cast<const char*>(newline) + 1;
  }
}

// The line's next token; false at the end of the line or at a comment.
bool TextParser::next(Token& token) {
  while (at_ < stop_ && class_of(*at_) == kBlank) ++at_;
  token = {at_, at_, nullptr};
  for (; at_ < stop_; ++at_) {
    const std::uint8_t c = class_of(*at_);
    if (c == kName) continue;
    if (c == kControl) fail(Fault::kControlCharacter, at_, at_ + 1);
    if (c != kEquals) break;
    if (token.equals == nullptr) token.equals = at_;
  }
  token.end = at_;
  if (token.begin == token.end) return false;
  last_end_ = token.end;
  return true;
}

TextParser::Token TextParser::need(Fault::Code code) {
  Token token;
  if (!next(token)) fail(code, last_end_, last_end_ + 1);
  return token;
}

std::string_view TextParser::name(const Token& token, Fault::Code code) const {
  if (token.equals != nullptr) fail(code, token.begin, token.end);
  return token.view();
}

Value TextParser::value(const char* begin, const char* end) {
  Value out;
  if (const Wrong wrong = raw_.said.value({begin, static_cast<std::size_t>(end - begin)}, out)) {
    fail(*wrong, begin, end);
  }
  return out;
}

void TextParser::line() {
  Token token;
  if (!next(token)) return;
  if (token.view() == "init") return init_line();
  if (raw_.size() >= INT32_MAX) fail(Fault::kTooManyEvents, token.begin, token.end);
  const std::string_view thread = name(token, Fault::kBadThread);
  token = need(Fault::kMissingOp);
  if (token.end - token.begin != 1) fail(Fault::kUnknownOp, token.begin, token.end);
  static constexpr std::string_view kOps = "rwuf";
  const std::size_t op = kOps.find(*token.begin);
  if (op == std::string_view::npos) fail(Fault::kUnknownOp, token.begin, token.end);

  raw_.thread.push_back(raw_.threads.intern(thread));
  raw_.op.push_back(static_cast<std::uint8_t>(op));
  raw_.order.push_back(kRlx);
  raw_.read_value.push_back(kNoValue);
  raw_.written_value.push_back(kNoValue);
  raw_.rf_symbol.push_back(kByValue);
  raw_.line.push_back(line_number_);
  if (op == kFence) {
    raw_.loc.push_back(-1);
  } else {
    const Token where = need(Fault::kMissingLocation);
    if (where.view() == kRest) fail(Fault::kBadLocation, where.begin, where.end);
    raw_.loc.push_back(raw_.location(name(where, Fault::kBadLocation)));
    access_values(need(Fault::kMissingValue), raw_.op.back());
  }
  order_and_keys();
}

void TextParser::init_line() {
  const Token where = need(Fault::kMissingInitLocation);
  const std::string_view location = name(where, Fault::kBadLocation);
  const Token token = need(Fault::kMissingInitValue);
  if (token.equals != nullptr || is_order(token.view())) fail(Fault::kBadValue, token.begin, token.end);
  const Value start = token.view() == "_" ? Value{} : value(token.begin, token.end);
  if (!raw_.starts(location, start)) fail(Fault::kDuplicateInit, where.begin, where.end);
  Token extra;
  if (next(extra)) fail(Fault::kExtraInInit, extra.begin, extra.end);
}

void TextParser::access_values(const Token& token, std::uint8_t op) {
  const char *begin = token.begin, *end = token.end;
  if (token.equals != nullptr || order_of(token.view()) >= 0) fail(Fault::kValueExpected, begin, end);
  const char* arrow = arrow_in(begin, end);
  if (op == kUpdate && arrow == nullptr) fail(Fault::kMissingArrow, begin, end);
  if (op != kUpdate && arrow != nullptr) fail(Fault::kExtraArrow, begin, end);
  const auto recorded = [this](const char* from, const char* to) {
    return to - from == 1 && *from == '_' ? Value{} : value(from, to);
  };
  if (op == kUpdate) {
    if (arrow == begin || arrow + 2 == end) fail(Fault::kHalfArrow, begin, end);
    raw_.last_read(recorded(begin, arrow));
    raw_.last_written(recorded(arrow + 2, end));
  } else if (op == kRead) {
    raw_.last_read(recorded(begin, end));
  } else {
    raw_.last_written(recorded(begin, end));
  }
}

void TextParser::order_and_keys() {
  Token token;
  keys_seen_ = 0;
  tags_.clear();
  bool ordered = false;
  while (next(token)) {
    if (token.equals != nullptr) {
      key(token);
      continue;
    }
    const int order = order_of(token.view());
    if (order < 0 && !ordered && keys_seen_ == 0 && tag(token)) continue;
    if (ordered || !tags_.empty()) fail(order >= 0 ? Fault::kSecondOrder : Fault::kExtraField, token.begin, token.end);
    if (keys_seen_ != 0) fail(order >= 0 ? Fault::kLateOrder : Fault::kExtraField, token.begin, token.end);
    if (order < 0) fail(Fault::kUnknownOrder, token.begin, token.end);
    raw_.order.back() = static_cast<std::uint8_t>(order);
    ordered = true;
  }
  if (!tags_.empty()) raw_.tag_last(tags_);
}

bool Words::knows(std::string_view word, bool fence) const {
  const auto& known = fence ? fences : accesses;
  return std::binary_search(known.begin(), known.end(), word);
}

// Takes a word that says more of the event: the name of a fence, or one of several of an access.
bool TextParser::tag(const Token& token) {
  const bool fence = raw_.op.back() == kFence;
  if (!words_.knows(token.view(), fence) || (fence && !tags_.empty())) return false;
  if (!tags_.empty()) tags_ += ' ';
  tags_ += token.view();
  return true;
}

void TextParser::key(const Token& token) {
  const std::string_view word(token.begin, static_cast<std::size_t>(token.equals - token.begin));
  const auto found = std::find(kKeys.begin(), kKeys.end(), word);
  const bool note = is_note(word);
  if (found == kKeys.end() && !note) fail(Fault::kUnknownKey, token.begin, token.equals);
  const int kind = static_cast<int>(found - kKeys.begin());
  if (!note && (keys_seen_ >> kind & 1u) != 0) fail(Fault::kRepeatedKey, token.begin, token.end);
  keys_seen_ |= 1u << kind;  // notes share the bit behind the last
  const char* begin = token.equals + 1;
  if (begin == token.end) fail(Fault::kEmptyKey, token.begin, token.end);
  const std::string_view text(begin, static_cast<std::size_t>(token.end - begin));
  if (note) return note_key(token, word, text);
  if (text.find('=') != std::string_view::npos) fail(Fault::kBadId, begin, token.end);
  if (kind == kIdKey) return id_key(token, text);
  if (kind < kDependencyKinds) return mentions_key(kind, token, begin);
  if (kind == kTimeKey) {
    if (const Wrong wrong = raw_.said.time(raw_.last_row(), text)) fail(*wrong, begin, token.end);
    return;
  }
  const std::uint8_t op = raw_.op.back();
  if (op != kRead && op != kUpdate) fail(Fault::kRfWithoutRead, token.begin, token.end);
  raw_.rf_symbol.back() = text == "init" ? kFromInit : text == kAny ? kFromAny : raw_.symbols.intern(text);
}

void TextParser::note_key(const Token& token, std::string_view word, std::string_view text) {
  const bool coded = text.find('%') != text.npos;
  const bool fresh =
      coded ? raw_.said.note(raw_.last_row(), word, unescaped(text)) : raw_.said.note(raw_.last_row(), word, text);
  if (!fresh) fail(Fault::kRepeatedKey, token.begin, token.end);
}

void TextParser::id_key(const Token& token, std::string_view id) {
  if (id.find(',') != std::string_view::npos || id == kAny) fail(Fault::kBadId, token.equals + 1, token.end);
  if (id == "init") fail(Fault::kIdInit, token.equals + 1, token.end);
  const std::int32_t earlier = raw_.define(id);
  if (earlier >= 0) throw Fault{Fault::kDuplicateId, token.equals + 1 - start_, token.end - token.equals - 1, earlier};
}

void TextParser::mentions_key(int kind, const Token& token, const char* begin) {
  while (begin <= token.end) {
    const char* comma = std::find(begin, token.end, ',');
    if (comma == begin) fail(Fault::kEmptyItem, begin, begin + 1);
    raw_.mention(kind, {begin, static_cast<std::size_t>(comma - begin)});
    begin = comma + 1;
  }
}

std::int64_t first_bad_utf8(std::string_view text) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  const std::size_t size = text.size();
  std::size_t i = 0;
  while (i < size) {
    std::uint64_t word;
    if (i + 8 <= size) {
      std::memcpy(&word, bytes + i, 8);
      if ((word & 0x8080808080808080u) == 0) {
        i += 8;
        continue;
      }
    }
    const unsigned char lead = bytes[i];
    if (lead < 0x80) {
      ++i;
      continue;
    }
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    // The second byte's range rules out overlong forms, surrogates, and code points past U+10FFFF.
    unsigned char low = 0x80, high = 0xBF;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
    bool good = lead >= 0xC2 && lead <= 0xF4 && i + length <= size;
    for (std::size_t k = 1; good && k < length; ++k) {
      good = bytes[i + k] >= (k == 1 ? low : 0x80) && bytes[i + k] <= (k == 1 ? high : 0xBF);
    }
    if (!good) return static_cast<std::int64_t>(i);
    i += length;
  }
  return -1;
}

}  // namespace porf::formats
