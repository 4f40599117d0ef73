// Lines of JSON objects with any keys: those that somebody wants, inside of other objects as well (`memory.address`).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "logs/cells.hpp"

namespace porf::logs {

class ObjectReader : public LineReader {
 public:
  explicit ObjectReader(std::vector<std::string> keys) : keys_(std::move(keys)), texts_(keys_.size()) {}

  Line read(std::string_view text, bool last, Cells& cells) override;

 private:
  static constexpr int kDeepest = 64;

  [[noreturn]] void fail(Fault::Code code = Fault::kLogObject) const;
  void blanks();
  bool take(char c);
  void need(char c);
  std::string_view string(std::string& unescaped);
  void unescape(std::string& out);
  void object(std::string_view outer, Cells& cells, int depth);
  void value(std::string_view path, Cells& cells, int depth);
  void scalar(Cell& cell, std::string& text);
  void list(Cell* cell, std::string& text, int depth);
  void skip(int depth);
  int number_of(std::string_view path);

  std::vector<std::string> keys_;
  std::vector<std::string> texts_;  // of each cell, where it is not in the line as it is
  std::string path_, scratch_;
  std::size_t expected_ = 0;  // the key that came after the last one, in the line before
  const char* at_ = nullptr;
  const char* stop_ = nullptr;
};

}  // namespace porf::logs
