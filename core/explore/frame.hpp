// The state of a thread, as an array of slots: a header, the thread's own copies of local objects, and a
// stack of frames, one a call that has not returned. A frame is who called, registers, and private memory.
//
// A private object is a slot that says how long it is and which one it is, slots with its bytes, and as many with the
// bits that were never set.
#pragma once

#include <cstdint>

#include "explore/pointer.hpp"
#include "explore/program.hpp"

namespace porf::explore {

// Thrown when a table of the explorer is too small, or gaps between places matter; the exploration starts again with
// larger ones, or with gaps.
struct Grow {
  enum What { kThreads, kWrites, kStack, kGaps } what;
};

// Slots of the header.
inline constexpr std::int32_t kBase = 0;     // where the registers of the present frame begin
inline constexpr std::int32_t kTop = 1;      // the first slot that is not in use
inline constexpr std::int32_t kCode = 2;     // the template of the present frame
inline constexpr std::int32_t kLast = 3;     // the object that the thread allocated last, 0 if none
inline constexpr std::int32_t kMemory = 4;   // a hash of all private memory, and of what was allocated
inline constexpr std::int32_t kPart = 5;     // bytes that are done of an access of several places
inline constexpr std::int32_t kPartial = 6;  // what such an access has read so far
inline constexpr std::int32_t kStarted = 7;  // how many threads it has started
inline constexpr std::int32_t kKept = 8;    // its events when an iteration that changes nothing was kept; 0 if none was
inline constexpr std::int32_t kSerial = 9;  // of the private object that was made last
// If mutexes are divided (sections.hpp): the mutex whose section the thread is in, and the part of it that it holds,
// from 1 on, 0 if none; and whether it was ever in one.
inline constexpr std::int32_t kSection = 10;
inline constexpr std::int32_t kGuard = 11;
inline constexpr std::int32_t kEntered = 12;
// Where what its slots depend on stands, so many slots further on; 0 if nobody asks (dependencies.hpp).
inline constexpr std::int32_t kShadow = 13;
inline constexpr std::int32_t kHeader = 14;

// Slots before the registers of a frame.
inline constexpr std::int32_t kReturnTo = -4;    // the instruction
inline constexpr std::int32_t kCaller = -3;      // the base of the frame that called; 0 if none
inline constexpr std::int32_t kCallerCode = -2;  // its template
inline constexpr std::int32_t kResult = -1;      // its register for what is returned
inline constexpr std::int32_t kLinks = 4;

// A slot that begins a private object: the mark and its serial number in the upper half, and how many bytes it has.
inline constexpr std::int64_t kMark = 0x50520000;
constexpr std::int64_t marked(std::int64_t serial, std::int64_t size) { return pointer_to(kMark | serial, size); }
constexpr std::int64_t serial_of(std::int64_t mark) { return number_of(mark) & (kSerials - 1); }

constexpr std::int64_t words_of(std::int64_t size) { return (size + 7) / 8; }
constexpr std::int64_t slots_of(std::int64_t size) { return 1 + 2 * words_of(size); }

inline std::int32_t frame_size(const Template& t) { return kLinks + t.registers + t.private_slots; }

// The base of a thread's first frame.
inline std::int32_t first_base(const Program& program) {
  std::int64_t slots = kHeader;
  for (const Local& local : program.locals) slots += slots_of(local.size);
  return static_cast<std::int32_t>(slots) + kLinks;
}

// Of a private word: where it is and what it holds.
inline std::int64_t mixed(std::int64_t slot, std::int64_t value) {
  auto h =
      static_cast<std::uint64_t>(value) * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(slot) * 0xD1B54A32D192ED03u;
  h = (h ^ h >> 32) * 0xD6E8FEB86659FD93u;
  return static_cast<std::int64_t>(h ^ h >> 29);
}

// A private word changes: the hash of all private memory does, too.
inline void remember(std::int64_t* state, std::int64_t slot, std::int64_t old, std::int64_t value) {
  auto sum = static_cast<std::uint64_t>(state[kMemory]) + static_cast<std::uint64_t>(mixed(slot, value)) -
             static_cast<std::uint64_t>(mixed(slot, old));
  state[kMemory] = static_cast<std::int64_t>(sum);
}

}  // namespace porf::explore
