// What can be wrong with a history, as codes and places; the words for people are in porf/formats/faults.py.
#pragma once

#include <cstdint>

namespace porf::formats {

// Meaning of the numbers, by who throws: a parser says a byte offset and a width in bytes; the resolver says
// a row, which item of a list or how many candidates, and other rows; the column check says an index and the
// value found there.
struct Fault {
  // The text parser's; the JSON parser's, who leaves the line to another reader; the resolver's; the stream's,
  // which resolves line by line; the column check's; those of times; the reader's of logs; starts nobody knows.
  // clang-format off
  enum Code : std::uint8_t {
    kControlCharacter, kNotUtf8, kTooManyEvents, kBadThread, kBadLocation, kMissingOp, kUnknownOp,
    kMissingLocation, kMissingValue, kValueExpected, kBadValue, kLargeValue, kMissingArrow, kHalfArrow,
    kExtraArrow, kUnknownOrder, kSecondOrder, kLateOrder, kExtraField, kUnknownKey, kRepeatedKey, kEmptyKey,
    kEmptyItem, kBadId, kIdInit, kDuplicateId, kRfWithoutRead, kMissingInitLocation, kMissingInitValue,
    kUnrecordedInit, kDuplicateInit, kExtraInInit, kNotPlain, kRfMissing, kValueUnwritten, kValueAmbiguous,
    kRfUnknown, kRfNotAWrite, kRfOtherLocation, kRfValue, kDependencyUnknown, kDependencyOnItself,
    kDependencyAcrossThreads, kDependencyOnLater, kNotExclusives, kStreamUnknown, kStreamUnwritten, kBadThreadNumber,
    kBadOpNumber, kBadOrderNumber, kLocationOfFence, kNoLocation, kBadLocationNumber, kBadRfRow, kBadSourceRow,
    kBadTargetRow, kBadTime, kLargeTime, kTimeEndsEarly, kTimeRunsBackwards, kLogCut, kLogExtra, kLogQuote,
    kLogObject, kLogNothingFits, kLogThread, kLogOp, kLogLocation, kLogUnknownOp, kLogUnknownOrder, kLogUnknownResult,
    kLogOneValue, kLogStart, kStartTwice,
  };
  // clang-format on

  Code code = kNotPlain;
  std::int64_t where = 0;
  std::int64_t width = 1;
  std::int64_t first = 0;
  std::int64_t second = 0;
};

inline constexpr std::int64_t kNoValue = INT64_MIN;  // not recorded; of a location: nobody knows how it starts
inline constexpr std::int32_t kByValue = -2;         // a reference: none written, so that the value decides
inline constexpr std::int32_t kFromInit = -1;        // a reference: rf=init
inline constexpr std::int32_t kOpen = -2;            // what that comes to where several writes fit
inline constexpr std::int32_t kFromAny = -3;         // a reference: rf=?, any write that fits

}  // namespace porf::formats
