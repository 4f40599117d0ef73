// From pointers to locations: each place that is accessed gets a number, which it keeps for the whole run.
// And the objects that threads allocate: an object is known by its thread, by what was allocated there before
// it, and by where and how large it is, so that the same doings give the same object in every execution.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "explore/pointer.hpp"
#include "explore/program.hpp"

namespace porf::explore {

// Why a pointer is no place that can be accessed.
enum class Fault : std::uint8_t { kNone, kNowhere, kOutOfBounds, kMisaligned, kMixedWidth };

// Whether an access may be of several places: never; yes; and what is left of one that is.
enum class Split : std::uint8_t { kNever, kWhole, kRest };

struct Place {
  std::int64_t pointer = 0;
  std::int64_t initial = 0;
  std::uint8_t width = 0;
  bool initialised = true;
  bool declared = false;  // by the program; otherwise the first access has found it
};

// An object as it is in memory. What threads allocate comes after what the program has.
struct Extent {
  std::int64_t size = 0;
  std::int32_t layout = -1;   // of an allocated object
  std::int32_t thread = -1;   // who allocated it
  std::int32_t number = 0;    // how many that thread had allocated with it
  std::int32_t pc = -1;       // where
  std::int32_t events = 0;    // how many events the thread had before
  std::int64_t previous = 0;  // the object that the thread allocated before it, 0 if none
  Allocation allocation = Allocation::kStack;
};

class MemoryMap {
 public:
  explicit MemoryMap(const Program& program);

  // The location of an access of so many bytes, or -1 and why there is none. An access that may be split may get a
  // declared location at its beginning that is narrower; or -1 without a fault, if its first `skipped` bytes are none.
  std::int32_t find(std::int64_t pointer, std::int64_t width, Split split, Fault& fault, std::int64_t& skipped) {
    std::int64_t number = number_of(pointer), offset = offset_of(pointer);
    if (number <= 0 || number > objects()) return fault = Fault::kNowhere, -1;
    auto index = static_cast<std::size_t>(number) - 1;
    if (offset + width > extents_[index].size) return fault = Fault::kOutOfBounds, -1;
    const std::vector<std::int32_t>& at = at_[index];
    if (offset < static_cast<std::int64_t>(at.size())) {
      std::int32_t loc = at[static_cast<std::size_t>(offset)];
      if (loc >= 0 && places_[loc].width == width && places_[loc].pointer == pointer) return loc;
    }
    return settle(index, offset, width, split, fault, skipped);
  }

  // What the program declares at a pointer: the width of the place; -n if the next n bytes have none; 0 if it
  // does not say, as of private memory. It does not depend on which accesses there were.
  std::int64_t declared(std::int64_t pointer) const;

  // How many bytes the object has from the pointer on.
  std::int64_t room(std::int64_t pointer) const {
    std::int64_t number = number_of(pointer);
    if (number <= 0 || number > objects()) return 0;
    std::int64_t left = object(number).size - offset_of(pointer);
    return left > 0 ? left : 0;
  }

  // The number of a new object, which is its pointer's upper half.
  std::int64_t allocate(std::int32_t thread, std::int32_t events, std::int64_t previous, std::int32_t pc,
                        std::int64_t size, std::int32_t layout, Allocation allocation);

  // The heap object that a pointer gives back, or 0.
  std::int64_t heap_object(std::int64_t pointer) const {
    std::int64_t number = number_of(pointer);
    if (number <= 0 || number > objects() || offset_of(pointer) != 0) return 0;
    return is_heap(object(number)) ? number : 0;
  }
  static bool is_heap(const Extent& extent) { return extent.layout >= 0 && extent.allocation != Allocation::kStack; }

  std::int32_t size() const { return static_cast<std::int32_t>(places_.size()); }
  const Place& operator[](std::int32_t loc) const { return places_[static_cast<std::size_t>(loc)]; }
  const Extent& object(std::int64_t number) const { return extents_[static_cast<std::size_t>(number) - 1]; }
  std::int64_t objects() const { return static_cast<std::int64_t>(extents_.size()); }

 private:
  std::int32_t settle(std::size_t object, std::int64_t offset, std::int64_t width, Split split, Fault& fault,
                      std::int64_t& skipped);
  std::int32_t at(std::size_t object, std::int64_t byte);
  // The declared place that covers a byte: where it begins and how wide it is (0: there is none).
  std::pair<std::int64_t, std::int64_t> covering(std::size_t object, std::int64_t byte) const;
  std::int32_t add(std::size_t object, std::int64_t offset, std::uint8_t width);

  const Program& program_;
  std::vector<Extent> extents_;
  std::vector<std::vector<std::int32_t>> at_;  // object -> byte -> location; bytes that nobody has met are not there
  std::vector<std::vector<std::int32_t>> cell_at_;  // layout -> byte -> cell
  std::vector<Place> places_;
  std::map<std::tuple<std::int32_t, std::int32_t, std::int64_t, std::int32_t, std::int64_t>, std::int64_t> allocated_;
};

}  // namespace porf::explore
