// See said.hpp.
#include "formats/said.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "formats/text.hpp"

namespace porf::formats {

namespace {

constexpr std::array<std::string_view, 6> kOrders = {"na", "rlx", "acq", "rel", "acq_rel", "sc"};
constexpr int kMostDecimals = 18;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int digit_of(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

bool looks_like_a_number(std::string_view word) {
  return is_digit(word[0]) || word[0] == '-' || word[0] == '+' || word[0] == '.';
}

std::uint8_t style_of(std::string_view digits, char x) {
  bool large = false, small = false;
  for (const char c : digits) {
    large |= c >= 'A' && c <= 'F';
    small |= c >= 'a' && c <= 'f';
  }
  return static_cast<std::uint8_t>(std::min<std::size_t>(digits.size(), kDigits) | (x == 'X' ? kLargeX : 0) |
                                   (large && !small ? kLargeDigits : 0));
}

struct Number {
  bool negative = false;
  std::uint64_t magnitude = 0;
};

Wrong read_number(std::string_view word, Number& out, std::uint8_t& style) {
  std::string_view digits = word;
  out.negative = digits[0] == '-';
  if (out.negative) digits.remove_prefix(1);
  const bool hex = digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  style = kDecimal;
  if (hex) {
    style = style_of(digits.substr(2), digits[1]);
    digits.remove_prefix(2);
  }
  if (digits.empty()) return Fault::kBadValue;
  const std::uint64_t base = hex ? 16 : 10;
  bool large = false;
  for (const char c : digits) {
    const auto digit = static_cast<std::uint64_t>(digit_of(c));
    if (digit >= base) return Fault::kBadValue;
    if (out.magnitude > (UINT64_MAX - digit) / base) large = true;
    if (!large) out.magnitude = out.magnitude * base + digit;
  }
  if (large || (out.negative && out.magnitude > std::uint64_t{1} << 63)) return Fault::kLargeValue;
  return std::nullopt;
}

// One end of a time: a decimal number, as a whole number of 10^-decimals.
Wrong read_decimal(std::string_view digits, std::int64_t& out, int& decimals) {
  const bool negative = !digits.empty() && digits[0] == '-';
  if (negative) digits.remove_prefix(1);
  if (digits.empty() || !is_digit(digits.front()) || !is_digit(digits.back())) return Fault::kBadTime;
  bool point = false;
  decimals = 0;
  out = 0;
  for (const char c : digits) {
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (!is_digit(c)) return Fault::kBadTime;
    if (point) ++decimals;
    if (decimals > kMostDecimals || out > (INT64_MAX - (c - '0')) / 10) {
      const bool rest = std::all_of(digits.begin(), digits.end(), [](char d) { return is_digit(d) || d == '.'; });
      return rest ? Fault::kLargeTime : Fault::kBadTime;
    }
    out = out * 10 + (c - '0');
  }
  if (negative) out = -out;
  return std::nullopt;
}

Wrong scaled(std::int64_t& number, int from, int to) {
  if (number == kNoValue) return std::nullopt;
  for (; from < to; ++from) {
    if (number > INT64_MAX / 10 || number < -(INT64_MAX / 10)) return Fault::kLargeTime;
    number *= 10;
  }
  return std::nullopt;
}

template <typename Integer>
void append(std::string& out, Integer value, int base = 10) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value, base).ptr;
  out.append(digits, end);
}

// Puts zeros before what follows `begin`, up to a width.
void pad(std::string& out, std::size_t begin, std::size_t width) {
  if (out.size() - begin < width) out.insert(begin, width - (out.size() - begin), '0');
}

std::uint64_t magnitude_of(std::int64_t number) {
  return number < 0 ? -static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
}

}  // namespace

void spell(std::string& out, Value value, std::string_view name) {
  if (value.style == kDecimal) {
    if (name.empty()) return append(out, value.code);
    out += name;
    return;
  }
  bool negative = value.code < 0;
  std::uint64_t magnitude = magnitude_of(value.code);
  if (!name.empty()) {
    negative = name.starts_with('-');
    if (negative) name.remove_prefix(1);
    std::from_chars(name.data(), name.data() + name.size(), magnitude);
  }
  if (negative) out += '-';
  out += (value.style & kLargeX) != 0 ? "0X" : "0x";
  const std::size_t begin = out.size();
  append(out, magnitude, 16);
  pad(out, begin, value.style & kDigits);
  if ((value.style & kLargeDigits) == 0) return;
  for (std::size_t at = begin; at < out.size(); ++at) {
    if (out[at] >= 'a' && out[at] <= 'f') out[at] = static_cast<char>(out[at] - 'a' + 'A');
  }
}

void spell_time(std::string& out, std::int64_t number, int decimals) {
  const std::uint64_t magnitude = magnitude_of(number);
  if (number < 0) out += '-';
  std::uint64_t unit = 1;
  for (int i = 0; i < decimals; ++i) unit *= 10;
  append(out, magnitude / unit);
  if (decimals == 0) return;
  out += '.';
  const std::size_t begin = out.size();
  append(out, magnitude % unit);
  pad(out, begin, static_cast<std::size_t>(decimals));
}

std::string Said::word(Value value) const {
  std::string out;
  const bool has_name = value.code >= kNamed && value.code < kNamed + values.size();
  spell(out, value, has_name ? values[static_cast<std::int32_t>(value.code - kNamed)] : std::string_view{});
  return out;
}

bool is_order(std::string_view word) { return std::find(kOrders.begin(), kOrders.end(), word) != kOrders.end(); }

bool is_note(std::string_view key) { return key == "src" || (key.starts_with("note:") && key.size() > 5); }

std::optional<std::string> word_of(std::string_view given) {
  const auto separates = [](char c) {
    return static_cast<unsigned char>(c) <= 0x20 || c == '#' || c == '=' || c == 0x7f;
  };
  if (given.empty() || std::any_of(given.begin(), given.end(), separates) || given.find("->") != given.npos) return {};
  Number number;
  std::uint8_t style = kDecimal;
  const bool wrong = looks_like_a_number(given) && read_number(given, number, style);
  if (wrong || given == "_" || is_order(given)) return '"' + std::string(given) + '"';
  return std::string(given);
}

Wrong Said::value(std::string_view word, Value& out) {
  if (!looks_like_a_number(word)) {
    if (values.size() == INT32_MAX) return Fault::kTooManyEvents;
    out = {kNamed + values.intern(word), kDecimal};
    return std::nullopt;
  }
  Number number;
  if (const Wrong wrong = read_number(word, number, out.style)) return wrong;
  const std::uint64_t magnitude = number.magnitude;
  // The first numbers of int64 stand for "not recorded" and for names.
  if (magnitude <= static_cast<std::uint64_t>(INT64_MAX)) {
    out.code = number.negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
    if (!is_named(out.code)) return std::nullopt;
  }
  char digits[24];
  char* stop = digits;
  if (number.negative) *stop++ = '-';
  stop = std::to_chars(stop, digits + sizeof digits, magnitude).ptr;
  if (values.size() == INT32_MAX) return Fault::kTooManyEvents;
  out.code = kNamed + values.intern({digits, static_cast<std::size_t>(stop - digits)});
  return std::nullopt;
}

Wrong read_time(std::string_view token, Time& out) {
  const std::size_t dots = token.find("..");
  int first = 0, second = 0;
  if (const Wrong wrong = read_decimal(token.substr(0, dots), out.start, first)) return wrong;
  out.end = out.start;
  out.decimals = first;
  if (dots == token.npos) return std::nullopt;
  const std::string_view rest = token.substr(dots + 2);
  if (rest.empty()) {
    out.end = kNoValue;
    return std::nullopt;
  }
  if (const Wrong wrong = read_decimal(rest, out.end, second)) return wrong;
  out.decimals = std::max(first, second);
  const Wrong wrong = scaled(out.start, first, out.decimals);
  return wrong ? wrong : scaled(out.end, second, out.decimals);
}

Wrong Said::time(std::int32_t row, std::string_view token) {
  Time read;
  const Wrong wrong = read_time(token, read);
  return wrong ? wrong : time(row, read);
}

Wrong Said::time(std::int32_t row, Time read) {
  if (read.decimals > decimals) {
    if (const Wrong wrong = scale_to(read.decimals)) return wrong;
  }
  if (const Wrong wrong = scaled(read.start, read.decimals, decimals)) return wrong;
  if (const Wrong wrong = scaled(read.end, read.decimals, decimals)) return wrong;
  start.resize(static_cast<std::size_t>(row) + 1, kNoValue);
  end.resize(static_cast<std::size_t>(row) + 1, kNoValue);
  start.back() = read.start;
  end.back() = read.end;
  return std::nullopt;
}

Wrong Said::scale_to(int wanted) {
  for (auto* column : {&start, &end}) {
    for (std::int64_t& time : *column) {
      if (const Wrong wrong = scaled(time, decimals, wanted)) return wrong;
    }
  }
  decimals = wanted;
  return std::nullopt;
}

bool Said::note(std::int32_t row, std::string_view key, std::string_view text) {
  const std::int32_t number = note_keys.intern(key);
  if (static_cast<std::size_t>(number) == last_noted_.size()) last_noted_.push_back(-1);
  if (last_noted_[number] == row) return false;
  last_noted_[number] = row;
  note_row.push_back(row);
  note_key.push_back(number);
  note_text.push_back(note_texts.intern(text));
  return true;
}

void check_times(std::span<const std::int32_t> thread, std::span<const std::int64_t> start,
                 std::span<const std::int64_t> end) {
  Ints last;  // of each thread: its last row that has a time
  for (std::size_t row = 0; row < start.size(); ++row) {
    if (start[row] == kNoValue) continue;
    const auto at = static_cast<std::int64_t>(row);
    if (end[row] != kNoValue && end[row] < start[row]) throw Fault{Fault::kTimeEndsEarly, at};
    const auto own = static_cast<std::size_t>(thread[row]);
    if (own >= last.size()) last.resize(own + 1, -1);
    if (last[own] >= 0 && start[row] < start[last[own]]) throw Fault{Fault::kTimeRunsBackwards, at, 0, last[own]};
    last[own] = static_cast<std::int32_t>(row);
  }
}

std::string escaped(std::string_view text) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte != 0x7f && c != '#' && c != '%') {
      out += c;
      continue;
    }
    out += '%';
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
  }
  return out;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool coded =
        text[at] == '%' && at + 2 < text.size() && digit_of(text[at + 1]) < 16 && digit_of(text[at + 2]) < 16;
    out += coded ? static_cast<char>(digit_of(text[at + 1]) * 16 + digit_of(text[at + 2])) : text[at];
    if (coded) at += 2;
  }
  return first_bad_utf8(out) < 0 ? out : std::string(text);
}

}  // namespace porf::formats
