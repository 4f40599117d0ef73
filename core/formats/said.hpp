// What events say beside the graph: how values are spelled, when operations ran, and notes. Shared by every reader.
//
// A value is a number of 64 bits, signed or unsigned, or a word. A column holds numbers of int64 as they are; the
// others, and the few that would look like them, are named: kNamed + k stands for the k-th name of a table. So plain
// histories pay nothing, and equal values are equal entries.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "formats/fault.hpp"
#include "formats/names.hpp"
#include "memory.hpp"

namespace porf::formats {

inline constexpr std::int64_t kNamed = INT64_MIN + 1;
inline constexpr std::int64_t kMostNamed = std::int64_t{1} << 31;
inline bool is_named(std::int64_t value) { return value >= kNamed && value < kNamed + kMostNamed; }

// How a number is written: 0 in decimal, else in hex with so many digits.
enum Style : std::uint8_t { kDecimal = 0, kDigits = 0x1F, kLargeX = 0x40, kLargeDigits = 0x80 };

struct Value {
  std::int64_t code = kNoValue;
  std::uint8_t style = kDecimal;
};

// A time as it is written, START..END, START.. or one number: its ends as whole numbers of 10^-decimals.
struct Time {
  std::int64_t start = kNoValue, end = kNoValue;
  int decimals = 0;
};
using Wrong = std::optional<Fault::Code>;
Wrong read_time(std::string_view token, Time& out);

// Writes a value; `name` is the one that it stands for, or empty.
void spell(std::string& out, Value value, std::string_view name);
// Writes one end of a time.
void spell_time(std::string& out, std::int64_t number, int decimals);

bool is_order(std::string_view word);
// Whether a key is of a note: src, or note:NAME.
bool is_note(std::string_view key);

// The word of the text format for a value that was given as a string: in quotes if it would be taken for something
// else there. Nothing if there is no such word.
std::optional<std::string> word_of(std::string_view given);

class Said {
 public:
  Names values;
  Large<std::uint8_t> read_style, written_style, init_style;  // as long as the last that is not kDecimal
  Large<std::int64_t> start, end;                             // as long as the last row that has a time
  int decimals = 0;                                           // times count 10^-decimals
  Names note_keys, note_texts;
  Ints note_row, note_key, note_text;  // one a note, by row

  // A word of the text format as a value.
  Wrong value(std::string_view word, Value& out);
  Wrong time(std::int32_t row, std::string_view token);
  Wrong time(std::int32_t row, Time read);
  // The word for a value.
  std::string word(Value value) const;
  // False if the row has a note of this key already.
  bool note(std::int32_t row, std::string_view key, std::string_view text);

  static void set_style(Large<std::uint8_t>& styles, std::int64_t at, std::uint8_t style) {
    const auto place = static_cast<std::size_t>(at);
    if (style == kDecimal && place >= styles.size()) return;
    if (place >= styles.size()) styles.resize(place + 1, kDecimal);
    styles[place] = style;
  }

 private:
  Wrong scale_to(int decimals);

  Ints last_noted_;  // of each key: the last row that has it
};

// What is wrong with times: an end before its start, or a thread that starts before it did. Throws a Fault with rows.
void check_times(std::span<const std::int32_t> thread, std::span<const std::int64_t> start,
                 std::span<const std::int64_t> end);

// A text with %20 and its like for what separates fields, and back.
std::string escaped(std::string_view text);
std::string unescaped(std::string_view text);

}  // namespace porf::formats
