// What can be wrong with a history, as codes and places; the words for people are in porf/formats/faults.py.
#pragma once

#include <cstdint>

namespace porf::formats {

// Meaning of the other members, by who throws: a parser says a byte offset and a width in bytes; the resolver
// says a row, which item of a list, and other rows; the column check says an index and the value found there.
struct Fault {
  const char* code = nullptr;
  std::int64_t where = 0;
  std::int64_t width = 1;
  std::int64_t a = 0;
  std::int64_t b = 0;
};

inline constexpr std::int64_t kNoValue = INT64_MIN;
inline constexpr std::int32_t kByValue = -2;   // a reference: none written, so that the value decides
inline constexpr std::int32_t kFromInit = -1;  // a reference: rf=init

}  // namespace porf::formats
