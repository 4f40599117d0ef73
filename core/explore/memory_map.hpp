// From pointers to locations: each place that is accessed gets a number, which it keeps for the whole run.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/program.hpp"

namespace porf::explore {

// Why a pointer is no place that can be accessed.
enum class Fault : std::uint8_t { kNone, kNowhere, kOutOfBounds, kMisaligned, kMixedWidth };

struct Place {
  std::int64_t pointer = 0;
  std::int64_t initial = 0;
  std::uint8_t width = 0;
  bool initialised = true;
};

class MemoryMap {
 public:
  explicit MemoryMap(const Program& program) : objects_(program.objects) {
    for (std::size_t o = 0; o < objects_.size(); ++o) {
      at_.emplace_back(static_cast<std::size_t>(objects_[o].size), -1);
      for (const Cell& cell : objects_[o].cells) {
        std::int32_t loc = add(o, cell.offset, cell.width);
        places_[loc].initial = cell.initial;
        places_[loc].initialised = cell.initialised;
      }
    }
  }

  // The location of an access of so many bytes, or -1 and why there is none.
  std::int32_t find(std::int64_t pointer, std::uint8_t width, Fault& fault) {
    std::uint64_t object = static_cast<std::uint64_t>(pointer) >> 32;
    std::int64_t offset = pointer & 0xFFFFFFFF;
    if (object == 0 || object > objects_.size()) return fault = Fault::kNowhere, -1;
    if (offset + width > objects_[object - 1].size) return fault = Fault::kOutOfBounds, -1;
    std::int32_t loc = at_[object - 1][static_cast<std::size_t>(offset)];
    if (loc >= 0 && places_[loc].width == width && places_[loc].pointer == pointer) return loc;
    if (offset % width != 0) return fault = Fault::kMisaligned, -1;
    for (std::int64_t byte = offset; byte < offset + width; ++byte)
      if (at_[object - 1][static_cast<std::size_t>(byte)] >= 0) return fault = Fault::kMixedWidth, -1;
    return add(object - 1, static_cast<std::int32_t>(offset), width);
  }

  std::int32_t size() const { return static_cast<std::int32_t>(places_.size()); }
  const Place& operator[](std::int32_t loc) const { return places_[static_cast<std::size_t>(loc)]; }

 private:
  std::int32_t add(std::size_t object, std::int32_t offset, std::uint8_t width) {
    auto loc = static_cast<std::int32_t>(places_.size());
    for (int byte = 0; byte < width; ++byte) at_[object][static_cast<std::size_t>(offset + byte)] = loc;
    places_.push_back({static_cast<std::int64_t>(object + 1) << 32 | offset, 0, width, true});
    return loc;
  }

  const std::vector<Object>& objects_;
  std::vector<std::vector<std::int32_t>> at_;  // object -> byte -> location
  std::vector<Place> places_;
};

}  // namespace porf::explore
