// Logs as programs write them become raw columns, as the text format does: cells are read, and events are made of them.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "formats/raw.hpp"
#include "logs/cells.hpp"
#include "logs/frame.hpp"
#include "logs/meaning.hpp"
#include "logs/order.hpp"
#include "logs/spellings.hpp"

namespace porf::logs {

class Log {
 public:
  Log(std::unique_ptr<LineReader> reader, std::size_t cells, Meaning meaning);

  // Reads the lines of a block, and returns how many bytes of it these take: the rest begins the next block. `last`:
  // there is none. Throws a Fault whose place is an offset into the block when one line too many is wrong.
  std::size_t read(std::string_view block, bool last);

  // Reads the rows of a frame. Throws a Fault whose place is a cell when one row too many is wrong; line() is the row,
  // from 1.
  void read(Frame& frame, std::int64_t rows);

  // Where the cells of one line are.
  const Cells& places(std::string_view line);

  // Where the line that was read last begins in its block, and its number.
  std::size_t begins() const { return begins_; }
  std::int64_t line() const { return line_; }
  std::int64_t bad() const { return bad_; }
  std::int64_t first_bad() const { return first_bad_; }  // the number of the first line that was left out as wrong

  // What a location starts with, `*` for all of which nothing else says it, and a missing value if nobody knows. False
  // if it cannot be that, or has been said already.
  bool initial(std::string_view location, std::string_view text);

  // What was read, for good.
  formats::Raw& finish() {
    if (meaning_.sort) put_in_order_of_time(raw_);
    return raw_;
  }

 private:
  struct Event {
    std::uint8_t op = 0;
    std::int32_t order = -1;
    std::string_view tags;
    formats::Value read, written;
    std::optional<formats::Time> time;
    std::int32_t id = -1, rf = formats::kByValue;  // symbols
  };

  // The cell that says something of this role, or null.
  const Cell* cell(Role role) const;
  bool has(Role role) const { return meaning_.cell_of[static_cast<std::size_t>(role)] >= 0; }
  bool is_missing(std::string_view text) const;
  const Cell& need(Role role, Fault::Code code) const;
  void event();
  bool op(Event& out);
  void initial_line();
  bool starts(std::string_view location, const formats::Value& start);
  void order(Event& out);
  bool failed() const;
  void values(Event& out);
  formats::Value value(const Cell* cell);
  formats::Value value(const Cell& cell, std::string_view text);
  formats::Wrong value_of(std::string_view text, formats::Value& out);
  std::optional<formats::Time> time() const;
  static formats::Time moment(const Cell& cell);
  void references(Event& out);
  void check_clock(std::int32_t thread, const formats::Time& time) const;
  void push(std::int32_t thread, std::int32_t location, const Event& event);
  void beside(const Event& event);
  std::int32_t location_of(std::string_view text);
  void leave_out(const WrongLine& wrong);

  std::unique_ptr<LineReader> reader_;
  Cells cells_;
  Meaning meaning_;
  formats::Raw raw_;
  Spellings threads_, locations_;
  Vocabulary ops_;
  std::array<Vocabulary, 2> orders_;  // of accesses, and of fences
  const Word* word_ = nullptr;        // the operation of the line
  Ints last_timed_;                   // of each thread: its last row that has a time
  const char* start_ = nullptr;
  std::size_t begins_ = 0;
  std::int64_t line_ = 0, bad_ = 0, first_bad_ = 0;
};

}  // namespace porf::logs
