// Pointers of the program form: 64-bit numbers that name an object and a byte of it. Nobody else knows how.
//
// The upper half is the number of a shared object, counted from 1, so that 0 points nowhere; or it has
// kPrivate, and is the slot where a private object of the thread begins and the object's serial number, because another
// object may take its slot. The lower half is an offset in bytes.
#pragma once

#include <cstdint>

namespace porf::explore {

inline constexpr int kOffsetBits = 32;
inline constexpr std::int64_t kOffsetMask = (std::int64_t{1} << kOffsetBits) - 1;
inline constexpr std::int64_t kPrivate = std::int64_t{1} << 62;
inline constexpr int kSlotBits = 20;
inline constexpr std::int64_t kSlots = std::int64_t{1} << kSlotBits;
inline constexpr std::int64_t kSerials = std::int64_t{1} << (62 - kOffsetBits - kSlotBits);

constexpr std::int64_t pointer_to(std::int64_t number, std::int64_t offset = 0) {
  return number << kOffsetBits | offset;
}
constexpr std::int64_t number_of(std::int64_t pointer) { return pointer >> kOffsetBits; }
constexpr std::int64_t offset_of(std::int64_t pointer) { return pointer & kOffsetMask; }

// The object that a pointer is in, or else is next to: just before an object is out of its bounds, too.
constexpr std::int64_t nearest_number(std::int64_t pointer) {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << (kOffsetBits - 1);
  return number_of(static_cast<std::int64_t>(static_cast<std::uint64_t>(pointer) + kHalf));
}

constexpr bool is_private(std::int64_t pointer) { return pointer >> 62 == 1; }
constexpr std::int64_t private_pointer(std::int64_t slot, std::int64_t serial) {
  return kPrivate | pointer_to(serial << kSlotBits | slot);
}
constexpr std::int64_t private_slot(std::int64_t pointer) { return number_of(pointer & ~kPrivate) & (kSlots - 1); }
constexpr std::int64_t private_serial(std::int64_t pointer) { return number_of(pointer & ~kPrivate) >> kSlotBits; }

}  // namespace porf::explore
