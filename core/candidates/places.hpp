// The locations of a litmus test by dense numbers: the cells that its objects declare.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/pointer.hpp"
#include "explore/program.hpp"

namespace porf::candidates {

class Places {
 public:
  explicit Places(const explore::Program& program) {
    for (const explore::Object& object : program.objects) {
      first_.push_back(size());
      for (const explore::Cell& cell : object.cells) {
        offsets_.push_back(cell.offset);
        initial_.push_back(cell.initial);
        widths_.push_back(0);
        pointers_.push_back(explore::pointer_to(static_cast<std::int64_t>(first_.size()), cell.offset));
      }
    }
    first_.push_back(size());
  }

  std::int32_t size() const { return static_cast<std::int32_t>(offsets_.size()); }
  std::int64_t initial(std::int32_t loc) const { return initial_[static_cast<std::size_t>(loc)]; }
  std::int64_t pointer(std::int32_t loc) const { return pointers_[static_cast<std::size_t>(loc)]; }

  // The location that a pointer points to; -1 if it is none.
  std::int32_t find(std::int64_t pointer) const {
    const std::int64_t object = explore::number_of(pointer) - 1, offset = explore::offset_of(pointer);
    if (object < 0 || object + 1 >= static_cast<std::int64_t>(first_.size())) return -1;
    const auto number = static_cast<std::size_t>(object);
    for (std::int32_t loc = first_[number]; loc < first_[number + 1]; ++loc)
      if (offsets_[static_cast<std::size_t>(loc)] == offset) return loc;
    return -1;
  }

  // A location is as wide as what accesses it; false if that was another width before.
  bool accessed(std::int32_t loc, std::uint8_t width) {
    std::uint8_t& known = widths_[static_cast<std::size_t>(loc)];
    if (known == 0) known = width;
    return known == width;
  }

 private:
  std::vector<std::int32_t> first_;  // of an object
  std::vector<std::int64_t> offsets_, initial_, pointers_;
  std::vector<std::uint8_t> widths_;
};

}  // namespace porf::candidates
