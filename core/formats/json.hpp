// JSON Lines of the plain kind, as programs write them: flat objects, known keys, no escapes in strings.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/raw.hpp"

namespace porf::formats {

// Reads what it fully understands and gives up on the rest: escapes, and whatever is wrong. The complete
// reader, which also knows the words for people, is porf/formats/objects.py; the tests hold the two together.
class JsonParser {
 public:
  // Appends the events of some whole lines. Throws a Fault at the beginning of a line that is not plain; `a`
  // is its number.
  void parse(std::string_view text);

  Raw& raw() { return raw_; }

 private:
  enum Key {
    kThread,
    kOp,
    kLoc,
    kValue,
    kReadKey,
    kWriteKey,
    kOrder,
    kId,
    kRf,
    kAddr,
    kData,
    kCtrl,
    kLxsx,
    kInit,
    kTime,
    kKeys
  };
  enum Kind : std::uint8_t { kNull, kString, kNumber, kList };
  struct Field {
    Kind kind = kNull;
    std::string_view text;
  };

  void blanks();
  bool take(char c);
  bool string(std::string_view& out);
  bool number(std::string_view& out);
  bool value(Field& field);
  bool time(Field& field);
  bool note(std::string_view key);
  bool list(Field& field);
  bool object();
  bool init_line();
  bool event();
  bool values(std::uint8_t op);
  bool recorded(Key key, Value& out);
  bool references();
  void mentions(int kind, std::string_view list);
  bool has(Key key) const { return (seen_ >> key & 1u) != 0; }
  bool is_name(Key key) const;
  bool said();

  Raw raw_;
  std::array<Field, kKeys> fields_;
  std::vector<std::pair<std::string_view, std::string_view>> notes_;
  std::string time_;  // of the line, in the words of the text format
  std::uint32_t seen_ = 0;
  const char* at_ = nullptr;
  const char* stop_ = nullptr;
  std::int32_t line_number_ = 0;
};

}  // namespace porf::formats
