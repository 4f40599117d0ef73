// From pointers to locations: each place that is accessed gets a number, which it keeps for the whole run. Places of an
// object may overlap if it is accessed with several widths; overlaps.hpp says how they get each other's values.
// And the objects that threads allocate: an object is known by its thread, by what was allocated there before
// it, and by where and how large it is, so that the same doings give the same object in every execution.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "explore/pairs.hpp"
#include "explore/pointer.hpp"
#include "explore/program.hpp"
#include "explore/unset.hpp"

namespace porf::explore {

// Why a pointer is no place that can be accessed.
enum class Fault : std::uint8_t { kNone, kNowhere, kOutOfBounds, kMisaligned };

struct Place {
  std::int64_t pointer = 0;
  std::int64_t initial = 0;
  std::uint8_t width = 0;
  bool initialised = true;
  bool constant = false;
  bool declared = false;  // by the program; otherwise the first access has found it
  // How many writes there were before, of places that overlap with it: bytes that were written otherwise in between
  // are places of a later age.
  std::int32_t age = 0;

  std::int64_t end() const { return offset_of(pointer) + width; }
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
  bool raceless = false;  // as the program says
};

class MemoryMap {
 public:
  static constexpr std::int64_t kWidest = 16;  // bytes of an access

  // `gaps`: whether accesses of whole structures are also of what is between their declared places. That is needed if
  // other accesses are; they throw Grow if it was not known.
  MemoryMap(const Program& program, bool gaps);

  UnsetValues& unset() { return unset_; }
  const UnsetValues& unset() const { return unset_; }

  // The location of an access of so many bytes, or -1 and why there is none. An access that may be split gets the first
  // one if it is of several declared ones. What else was accessed makes no difference.
  std::int32_t find(std::int64_t pointer, std::int64_t width, bool splits, Fault& fault) {
    std::int64_t number = number_of(pointer), offset = offset_of(pointer);
    if (number <= 0 || number > objects()) return fault = Fault::kNowhere, -1;
    auto index = static_cast<std::size_t>(number) - 1;
    if (offset + width > extents_[index].size) return fault = Fault::kOutOfBounds, -1;
    const std::vector<std::int32_t>& at = at_[index];
    if (offset < static_cast<std::int64_t>(at.size())) {
      std::int32_t loc = at[static_cast<std::size_t>(offset)];
      if (loc >= 0 && places_[loc].width == width && places_[loc].pointer == pointer) return loc;
    }
    return settle(index, offset, width, splits, fault);
  }

  // What the program declares at a pointer: the width of the place, or with gaps, of one between places; -n if the next
  // n bytes have none; 0 if it does not say, as of private memory. It does not depend on which accesses there were.
  std::int64_t declared(std::int64_t pointer) const;

  // How many bytes the object has that a pointer points into, or to the end of; -1 if it is none.
  std::int64_t size_at(std::int64_t pointer) const {
    std::int64_t number = number_of(pointer);
    return number <= 0 || number > objects() ? -1 : object(number).size;
  }

  // What arithmetic does not know: CELL and ROOM of a pointer, LOW and HIGH of the number of a pair.
  std::int64_t asked(Unary kind, std::int64_t operand) const {
    if (kind == Unary::kCell) return declared(operand);
    if (kind == Unary::kRoom) return room(operand);
    return kind == Unary::kLow ? pairs_.value(operand).first : pairs_.value(operand).second;
  }

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
  static constexpr Storage storage_of(Allocation allocation) {
    switch (allocation) {
      case Allocation::kHeap:
      case Allocation::kZeroed:
        return Storage::kHeap;
      case Allocation::kNew:
        return Storage::kNew;
      case Allocation::kNewArray:
        return Storage::kNewArray;
      default:
        return Storage::kStack;
    }
  }
  static bool is_heap(const Extent& extent) {
    return extent.layout >= 0 && storage_of(extent.allocation) != Storage::kStack;
  }

  // The locations in the same block of bytes, if some of them overlap; otherwise none.
  const std::vector<std::int32_t>& rivals(std::int32_t loc) const {
    static const std::vector<std::int32_t> kNone;
    if (rivals_.empty()) return kNone;
    auto it = rivals_.find(block_of(places_[static_cast<std::size_t>(loc)].pointer));
    return it == rivals_.end() ? kNone : it->second;
  }
  // The locations of an object that were met.
  const std::vector<std::int32_t>& places_of(std::int64_t number) const {
    static const std::vector<std::int32_t> kNone;
    auto object = static_cast<std::size_t>(number) - 1;
    return object < places_of_.size() ? places_of_[object] : kNone;
  }
  // What bytes hold: the first 8, and if there are more, the others.
  using Halves = std::array<Bytes, 2>;

  // The same place, of a later age that begins with these bytes.
  std::int32_t aged(std::int32_t loc, std::int32_t age, const Halves& bytes);

  // A place that no pointer leads to, for a part of the mutex at a location: free, and else like that.
  std::int32_t add_beside(std::int32_t loc) {
    Place place = places_[static_cast<std::size_t>(loc)];
    place.initial = 0;
    places_.push_back(place);
    return size() - 1;
  }

  Pairs& pairs() { return pairs_; }
  // A byte of a value of a location, which is a number of a pair if it has 16.
  Bytes byte_of(std::int32_t loc, std::int64_t value, std::int64_t byte) const;

  // What a byte of an object holds at first.
  Bytes first_byte(std::int64_t number, std::int64_t byte);

  std::int32_t size() const { return static_cast<std::int32_t>(places_.size()); }
  const Place& operator[](std::int32_t loc) const { return places_[static_cast<std::size_t>(loc)]; }
  const Extent& object(std::int64_t number) const { return extents_[static_cast<std::size_t>(number) - 1]; }
  std::int64_t objects() const { return static_cast<std::int64_t>(extents_.size()); }

 private:
  std::int32_t settle(std::size_t object, std::int64_t offset, std::int64_t width, bool splits, Fault& fault);
  bool tiled(std::size_t object, std::int64_t offset, std::int64_t width) const;
  std::size_t declared_cells(std::size_t object) const {
    std::int32_t layout = extents_[object].layout;
    return layout < 0 ? program_.objects[object].cells.size() : program_.layouts[layout].cells.size();
  }
  std::int32_t at(std::size_t object, std::int64_t byte);
  // The declared place that covers a byte: where it begins and how wide it is (0: there is none).
  std::pair<std::int64_t, std::int64_t> covering(std::size_t object, std::int64_t byte) const;
  std::int32_t exact(std::size_t object, std::int64_t offset, std::int64_t width);
  std::int32_t add(std::size_t object, std::int64_t offset, std::uint8_t width);
  std::int32_t cover(std::size_t object, std::int64_t offset, std::int64_t width);  // likewise, and it is in at_
  std::int32_t known(std::size_t object, std::int64_t byte) const {
    const std::vector<std::int32_t>& at = at_[object];
    return byte < static_cast<std::int64_t>(at.size()) ? at[static_cast<std::size_t>(byte)] : -1;
  }
  std::int64_t value_of(const Halves& halves, const Place& place);
  static bool is_set(const Halves& halves) { return halves[0].unset == 0 && halves[1].unset == 0; }
  bool overlaps(std::size_t object, std::int64_t offset, std::int64_t width);
  bool set_at_first(std::size_t object) const {
    Allocation from = extents_[object].allocation;
    return extents_[object].layout < 0 || from == Allocation::kZeroed || from == Allocation::kLocal;
  }
  // What is between declared places is copied with them, set or not.
  bool rest_is_set(std::size_t object) const { return set_at_first(object) || declared_cells(object) > 0; }

  // Places are aligned to their width, so none is in two blocks.
  static constexpr std::int64_t kBlock = kWidest;
  static std::int64_t block_of(std::int64_t pointer) { return pointer / kBlock; }

  const Program& program_;
  bool gaps_;
  UnsetValues unset_;
  std::vector<Extent> extents_;
  // object -> byte -> location, of locations that do not overlap; bytes that nobody has met are not there
  std::vector<std::vector<std::int32_t>> at_;
  std::unordered_map<std::int64_t, std::vector<std::int32_t>> rivals_;    // block -> its locations, if some overlap
  std::map<std::pair<std::int64_t, std::int64_t>, std::int32_t> others_;  // pointer, width -> one that is not in at_
  std::map<std::tuple<std::int32_t, std::int32_t, std::int64_t>, std::int32_t> aged_;
  std::vector<std::vector<std::int32_t>> cell_at_;  // layout -> byte -> cell
  std::vector<Place> places_;
  std::vector<std::vector<std::int32_t>> places_of_;  // object
  Pairs pairs_;
  std::map<std::tuple<std::int32_t, std::int32_t, std::int64_t, std::int32_t, std::int64_t>, std::int64_t> allocated_;
};

}  // namespace porf::explore
