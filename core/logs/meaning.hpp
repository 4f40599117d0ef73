// What the cells of a log mean: which cell is what of an event, and what the words of a log stand for.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "formats/text.hpp"

namespace porf::logs {

enum class Role : std::uint8_t {
  kThread,
  kOp,
  kLocation,
  kValue,
  kRead,
  kWritten,
  kOrder,
  kTime,
  kStart,
  kEnd,
  kId,
  kRf,
  kSuccess,
  kAddr,
  kData,
  kCtrl,
  kLxsx
};
inline constexpr int kRoles = 17;

// How the texts of values are numbers: decimal and 0x…; hex, with and without 0x; not at all.
enum class Numbers : std::uint8_t { kAuto, kHex, kWords };

inline constexpr std::int32_t kLeftOut = 4;       // an operation that is no event
inline constexpr std::int32_t kInitialValue = 5;  // nor is this: a line says what a location starts with

// What a word in the column of operations or orders stands for. Order -1: it says nothing of it.
struct Word {
  std::string word;
  std::int32_t op = 0;
  std::int32_t order = -1;
  std::string tags;
};

struct Meaning {
  std::array<std::int32_t, kRoles> cell_of{};               // -1 for none
  std::vector<std::pair<std::string, std::int32_t>> notes;  // keys, and their cells
  std::vector<Word> ops, orders;                            // in small letters
  formats::Words tags;
  std::vector<std::string> missing;  // texts that say that a value was not recorded
  Numbers numbers = Numbers::kAuto;
  std::string comment;          // lines that begin with it are left out, unless it is empty
  std::int64_t skip = 0;        // so many lines at the beginning say nothing
  std::int64_t may_be_bad = 0;  // so many lines may be wrong
  bool sort = false;            // rows are put in the order of their times
};

}  // namespace porf::logs
