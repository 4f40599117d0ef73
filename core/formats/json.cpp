// See json.hpp. A line's fields are collected first, so that they may come in any order.
#include "formats/json.hpp"

#include <algorithm>

#include "execution.hpp"
#include "formats/text.hpp"

namespace porf::formats {

namespace {

constexpr std::array<std::string_view, 15> kKeyNames = {"thread", "op",    "loc",  "value", "read",
                                                        "write",  "order", "id",   "rf",    "addr",
                                                        "data",   "ctrl",  "lxsx", "init",  "time"};
constexpr std::array<std::string_view, 8> kOps = {"r", "w", "u", "f", "read", "write", "update", "fence"};
constexpr std::array<std::string_view, 6> kOrders = {"na", "rlx", "acq", "rel", "acq_rel", "sc"};

template <std::size_t N>
int index_of(const std::array<std::string_view, N>& words, std::string_view word) {
  const auto found = std::find(words.begin(), words.end(), word);
  return found == words.end() ? -1 : static_cast<int>(found - words.begin());
}

// The names that the text format can say, too.
bool is_key(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) > 0x20 && c != '#' && c != '=' && c != 0x7f;
  });
}

constexpr std::size_t kMostNotes = 16;  // an event with more is read by the other reader

}  // namespace

void JsonParser::parse(std::string_view text) {
  const std::int64_t bad = first_bad_utf8(text);
  const std::size_t newline = bad < 0 ? 0 : text.rfind('\n', static_cast<std::size_t>(bad));
  const std::size_t good = bad < 0 ? text.size() : newline == std::string_view::npos ? 0 : newline + 1;
  at_ = text.data();
  stop_ = at_ + good;
  while (at_ < stop_) {
    ++line_number_;
    const char* begin = at_;
    blanks();
    bool plain = at_ == stop_ || *at_ == '\n' || object();
    blanks();
    if (at_ < stop_) plain = plain && *at_++ == '\n';
    if (!plain) throw Fault{Fault::kNotPlain, begin - text.data(), 1, line_number_};
  }
  if (bad >= 0) throw Fault{Fault::kNotPlain, static_cast<std::int64_t>(good), 1, line_number_ + 1};
}

void JsonParser::blanks() {
  while (at_ < stop_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r')) ++at_;
}

// One mark of the syntax, with the blanks around it.
bool JsonParser::take(char c) {
  blanks();
  if (at_ == stop_ || *at_ != c) return false;
  ++at_;
  blanks();
  return true;
}

bool JsonParser::string(std::string_view& out) {
  if (at_ == stop_ || *at_ != '"') return false;
  const char* begin = ++at_;
  while (at_ < stop_ && *at_ != '"') {
    if (*at_ == '\\' || static_cast<unsigned char>(*at_) < 0x20) return false;
    ++at_;
  }
  if (at_ == stop_) return false;
  out = {begin, static_cast<std::size_t>(at_ - begin)};
  ++at_;
  return true;
}

// A whole number. A fraction or an exponent is left over, where no mark of the syntax fits it.
bool JsonParser::number(std::string_view& out) {
  const char* begin = at_;
  if (at_ < stop_ && *at_ == '-') ++at_;
  const char* digits = at_;
  while (at_ < stop_ && *at_ >= '0' && *at_ <= '9') ++at_;
  out = {begin, static_cast<std::size_t>(at_ - begin)};
  return at_ != digits && (*digits != '0' || at_ - digits == 1);
}

bool JsonParser::value(Field& field) {
  if (at_ == stop_) return false;
  if (*at_ == '"') {
    field.kind = kString;
    return string(field.text);
  }
  if (*at_ == '[') return list(field);
  if (*at_ == 'n') {
    field.kind = kNull;
    if (std::string_view(at_, static_cast<std::size_t>(stop_ - at_)).substr(0, 4) != "null") return false;
    at_ += 4;
    return true;
  }
  field.kind = kNumber;
  return number(field.text);
}

// A number, START and END in a list, or a string: all become the words of the text format.
bool JsonParser::time(Field& field) {
  field.kind = kString;
  time_.clear();
  const auto decimal = [this] {
    std::string_view whole, fraction;
    if (!number(whole)) return false;
    time_ += whole;
    if (at_ == stop_ || *at_ != '.') return true;
    const char* point = at_++;
    while (at_ < stop_ && *at_ >= '0' && *at_ <= '9') ++at_;
    time_.append(point, at_);
    return true;
  };
  if (at_ < stop_ && *at_ == '"') {
    if (!string(field.text)) return false;
    time_ = field.text;
    return true;
  }
  if (at_ == stop_ || *at_ != '[') return decimal();
  if (!take('[') || !decimal() || !take(',')) return false;
  time_ += "..";
  if (std::string_view(at_, static_cast<std::size_t>(stop_ - at_)).starts_with("null")) {
    at_ += 4;
  } else if (!decimal()) {
    return false;
  }
  return take(']');
}

bool JsonParser::note(std::string_view key) {
  const bool known = std::any_of(notes_.begin(), notes_.end(), [&](const auto& said) { return said.first == key; });
  std::string_view text;
  if (known || notes_.size() == kMostNotes || !is_key(key) || !take(':') || !string(text) || text.empty()) return false;
  notes_.emplace_back(key, text);
  return true;
}

bool JsonParser::list(Field& field) {
  field.kind = kList;
  const char* begin = at_;
  std::string_view item;
  if (!take('[')) return false;
  if (at_ == stop_ || *at_ != ']') {
    do {
      if (!string(item)) return false;
    } while (take(','));
  }
  if (!take(']')) return false;
  field.text = {begin, static_cast<std::size_t>(at_ - begin)};
  return true;
}

bool JsonParser::object() {
  seen_ = 0;
  notes_.clear();
  if (!take('{')) return false;
  do {
    std::string_view name;
    if (!string(name)) return false;
    const int key = index_of(kKeyNames, name);
    if (key < 0 && is_note(name)) {
      if (!note(name)) return false;
      continue;
    }
    if (key < 0 || has(static_cast<Key>(key)) || !take(':')) return false;
    if (!(key == kTime ? time(fields_[key]) : value(fields_[key]))) return false;
    seen_ |= 1u << key;
  } while (take(','));
  if (!take('}')) return false;
  return has(kInit) ? init_line() : event();
}

bool JsonParser::is_name(Key key) const {
  return has(key) && fields_[key].kind == kString && is_key(fields_[key].text);
}

bool JsonParser::init_line() {
  if (seen_ != (1u << kInit | 1u << kValue) || !notes_.empty() || !is_name(kInit)) return false;
  Value start;  // null: nobody knows
  return recorded(kValue, start) && raw_.starts(fields_[kInit].text, start);
}

bool JsonParser::event() {
  static constexpr std::uint32_t kCommon = 1u << kThread | 1u << kOp | 1u << kOrder | 1u << kId | 1u << kAddr |
                                           1u << kData | 1u << kCtrl | 1u << kLxsx | 1u << kTime;
  static constexpr std::uint32_t kAllowed[4] = {
      kCommon | 1u << kLoc | 1u << kValue | 1u << kRf, kCommon | 1u << kLoc | 1u << kValue,
      kCommon | 1u << kLoc | 1u << kReadKey | 1u << kWriteKey | 1u << kRf, kCommon};
  if (!is_name(kThread) || fields_[kThread].text == "init" || !has(kOp) || fields_[kOp].kind != kString) return false;
  const int word = index_of(kOps, fields_[kOp].text);
  if (word < 0 || raw_.size() >= INT32_MAX) return false;
  const auto op = static_cast<std::uint8_t>(word % 4);
  if ((seen_ & ~kAllowed[op]) != 0 || (op != kFence && (!is_name(kLoc) || fields_[kLoc].text == kRest))) {
    return false;
  }
  int order = porf::kRlx;
  if (has(kOrder)) order = fields_[kOrder].kind == kString ? index_of(kOrders, fields_[kOrder].text) : -1;
  if (order < 0) return false;
  raw_.thread.push_back(raw_.threads.intern(fields_[kThread].text));
  raw_.op.push_back(op);
  raw_.loc.push_back(op == kFence ? -1 : raw_.location(fields_[kLoc].text));
  raw_.order.push_back(static_cast<std::uint8_t>(order));
  raw_.line.push_back(line_number_);
  return values(op) && references() && said();
}

bool JsonParser::said() {
  if (has(kTime) && raw_.said.time(raw_.last_row(), time_)) return false;
  for (const auto& [key, text] : notes_) raw_.said.note(raw_.last_row(), key, text);
  return true;
}

bool JsonParser::values(std::uint8_t op) {
  Value read, written;
  const Key read_key = op == kUpdate ? kReadKey : kValue, write_key = op == kUpdate ? kWriteKey : kValue;
  if ((op == porf::kRead || op == kUpdate) && !recorded(read_key, read)) return false;
  if ((op == porf::kWrite || op == kUpdate) && !recorded(write_key, written)) return false;
  raw_.read_value.push_back(kNoValue);
  raw_.written_value.push_back(kNoValue);
  raw_.last_read(read);
  raw_.last_written(written);
  return true;
}

bool JsonParser::recorded(Key key, Value& out) {
  if (!has(key) || fields_[key].kind == kNull) return true;
  if (fields_[key].kind == kNumber) return !raw_.said.value(fields_[key].text, out);
  if (fields_[key].kind != kString) return false;
  const auto word = word_of(fields_[key].text);
  return word && !raw_.said.value(*word, out);
}

bool JsonParser::references() {
  raw_.rf_symbol.push_back(kByValue);
  if (has(kRf) && fields_[kRf].kind != kNull) {
    if (fields_[kRf].kind != kString) return false;
    const std::string_view writer = fields_[kRf].text;
    raw_.rf_symbol.back() = writer == "init" ? kFromInit : writer == kAny ? kFromAny : raw_.symbols.intern(writer);
  }
  for (int kind = 0; kind < kDependencyKinds; ++kind) {
    const Key key = static_cast<Key>(kAddr + kind);
    if (!has(key)) continue;
    if (fields_[key].kind != kList) return false;
    mentions(kind, fields_[key].text);
  }
  if (!has(kId) || fields_[kId].kind == kNull) return true;
  const std::string_view id = fields_[kId].text;
  if (!is_name(kId) || id == "init" || id == kAny || id.find(',') != std::string_view::npos) return false;
  return raw_.define(id) < 0;
}

// The list was read before: what stands between quotes are its items.
void JsonParser::mentions(int kind, std::string_view list) {
  for (std::size_t open = list.find('"'); open != std::string_view::npos;) {
    const std::size_t close = list.find('"', open + 1);
    raw_.mention(kind, list.substr(open + 1, close - open - 1));
    open = list.find('"', close + 1);
  }
}

}  // namespace porf::formats
