// The text format: one event a line. The parser turns bytes into raw columns and stops at the first fault.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/raw.hpp"

namespace porf::formats {

// What events may say beyond their order, accesses and fences each by their own words; sorted.
struct Words {
  std::vector<std::string> accesses, fences;
  bool knows(std::string_view word, bool fence) const;
};

class TextParser {
 public:
  explicit TextParser(Words words = {}) : words_(std::move(words)) {}

  // Appends the events of `text` to raw(). Throws a Fault whose place is a byte offset into `text`.
  void parse(std::string_view text);

  Raw& raw() { return raw_; }

 private:
  struct Token {
    const char* begin;
    const char* end;
    const char* equals;  // the first '=', or null
    std::string_view view() const { return {begin, static_cast<std::size_t>(end - begin)}; }
  };

  [[noreturn]] void fail(Fault::Code code, const char* begin, const char* end) const;
  bool next(Token& token);
  Token need(Fault::Code code);
  std::string_view name(const Token& token, Fault::Code code) const;
  Value value(const char* begin, const char* end);
  void line();
  void init_line();
  void access_values(const Token& token, std::uint8_t op);
  void order_and_keys();
  bool tag(const Token& token);
  void key(const Token& token);
  void id_key(const Token& token, std::string_view id);
  void mentions_key(int kind, const Token& token, const char* begin);
  void note_key(const Token& token, std::string_view word, std::string_view text);

  Words words_;
  Raw raw_;
  std::string tags_;  // of the line, so far
  const char* start_ = nullptr;
  const char* at_ = nullptr;
  const char* stop_ = nullptr;
  const char* last_end_ = nullptr;  // where the line's last token ended
  std::int32_t line_number_ = 0;
  std::uint32_t keys_seen_ = 0;
};

// The offset of the first byte that is not UTF-8, or -1.
std::int64_t first_bad_utf8(std::string_view text);

}  // namespace porf::formats
