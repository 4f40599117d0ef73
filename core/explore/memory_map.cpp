#include "explore/memory_map.hpp"

namespace porf::explore {

// Cells; of an object with so many, the program may not declare the last ones.
static constexpr std::size_t kMany = 1024;

MemoryMap::MemoryMap(const Program& program) : program_(program) {
  for (std::size_t o = 0; o < program.objects.size(); ++o) {
    extents_.push_back({.size = program.objects[o].size});
    at_.emplace_back();
    for (const Cell& cell : program.objects[o].cells) {
      Place& place = places_[static_cast<std::size_t>(add(o, cell.offset, cell.width))];
      place.initial = cell.initial;
      place.initialised = cell.initialised;
      place.declared = true;
    }
  }
  for (const Object& layout : program.layouts) {
    std::vector<std::int32_t>& cells = cell_at_.emplace_back(static_cast<std::size_t>(layout.size), -1);
    for (std::size_t c = 0; c < layout.cells.size(); ++c)
      for (int byte = 0; byte < layout.cells[c].width; ++byte)
        cells[static_cast<std::size_t>(layout.cells[c].offset + byte)] = static_cast<std::int32_t>(c);
  }
}

std::int64_t MemoryMap::allocate(std::int32_t thread, std::int32_t events, std::int64_t previous, std::int32_t pc,
                                 std::int64_t size, std::int32_t layout, Allocation allocation) {
  auto [it, fresh] = allocated_.try_emplace({thread, events, previous, pc, size}, objects() + 1);
  if (!fresh) return it->second;
  const std::int32_t number = previous > 0 ? object(previous).number + 1 : 1;
  extents_.push_back({size, layout, thread, number, pc, events, previous, allocation});
  at_.emplace_back();
  return it->second;
}

// The location that covers a byte, also if it is only declared so far; -1 if none.
std::int32_t MemoryMap::at(std::size_t object, std::int64_t byte) {
  const std::vector<std::int32_t>& known = at_[object];
  if (byte < static_cast<std::int64_t>(known.size()) && known[byte] >= 0) return known[byte];
  const Extent& extent = extents_[object];
  if (extent.layout < 0 || cell_at_[extent.layout].empty()) return -1;
  const Object& layout = program_.layouts[extent.layout];
  std::int64_t inside = byte % layout.size;
  std::int32_t c = cell_at_[extent.layout][inside];
  if (c < 0) return -1;
  const Cell& cell = layout.cells[c];
  std::int64_t offset = byte - inside + cell.offset;
  if (offset + cell.width > extent.size) return -1;
  for (std::int64_t b = offset; b < offset + cell.width; ++b)
    if (b < static_cast<std::int64_t>(known.size()) && known[b] >= 0) return -1;
  std::int32_t loc = add(object, offset, cell.width);
  places_[loc].declared = true;
  return loc;
}

std::pair<std::int64_t, std::int64_t> MemoryMap::covering(std::size_t object, std::int64_t byte) const {
  const Extent& extent = extents_[object];
  if (extent.layout < 0) {
    const std::vector<std::int32_t>& known = at_[object];
    std::int32_t loc = byte < static_cast<std::int64_t>(known.size()) ? known[byte] : -1;
    if (loc < 0 || !places_[loc].declared) return {0, 0};
    const Place& place = places_[loc];
    return {offset_of(place.pointer), place.width};
  }
  const std::vector<std::int32_t>& cells = cell_at_[extent.layout];
  if (cells.empty()) return {0, 0};
  std::int64_t inside = byte % static_cast<std::int64_t>(cells.size());
  std::int32_t c = cells[inside];
  if (c < 0) return {0, 0};
  const Cell& cell = program_.layouts[extent.layout].cells[c];
  std::int64_t begin = byte - inside + cell.offset;
  if (begin + cell.width > extent.size) return {0, 0};
  return {begin, cell.width};
}

std::int64_t MemoryMap::declared(std::int64_t pointer) const {
  std::int64_t left = room(pointer), offset = offset_of(pointer);
  if (left == 0) return 0;
  auto object = static_cast<std::size_t>(number_of(pointer)) - 1;
  const Extent& extent = extents_[object];
  std::size_t cells =
      extent.layout < 0 ? program_.objects[object].cells.size() : program_.layouts[extent.layout].cells.size();
  if (cells == 0) return 0;
  auto [begin, width] = covering(object, offset);
  if (width > 0) return begin == offset ? width : 0;
  std::int64_t end = offset + left;
  for (std::int64_t byte = offset + 1; byte < end; ++byte)
    if (covering(object, byte).second > 0) return offset - byte;
  return cells < kMany ? -left : 0;
}

std::int32_t MemoryMap::settle(std::size_t object, std::int64_t offset, std::int64_t width, Split split, Fault& fault,
                               std::int64_t& skipped) {
  bool splits = split != Split::kNever;
  std::int32_t first = at(object, offset);
  if (first >= 0) {
    const Place& place = places_[first];
    bool begins = offset_of(place.pointer) == offset;
    if (begins && place.width == width) return first;
    if (begins && place.width < width && splits && place.declared) return first;
    return fault = Fault::kMixedWidth, -1;
  }
  for (std::int64_t byte = offset + 1; byte < offset + width; ++byte) {
    std::int32_t loc = at(object, byte);
    if (loc < 0) continue;
    if (!splits || !places_[loc].declared) return fault = Fault::kMixedWidth, -1;
    return skipped = byte - offset, -1;
  }
  if (split == Split::kRest) return skipped = width, -1;
  if (offset % width != 0) return fault = Fault::kMisaligned, -1;
  std::int32_t loc = add(object, offset, static_cast<std::uint8_t>(width));
  // What is between declared places is copied with them, set or not.
  std::int32_t layout = extents_[object].layout;
  if (layout >= 0 && !program_.layouts[layout].cells.empty()) places_[loc].initialised = true;
  return loc;
}

std::int32_t MemoryMap::add(std::size_t object, std::int64_t offset, std::uint8_t width) {
  auto loc = static_cast<std::int32_t>(places_.size());
  std::vector<std::int32_t>& known = at_[object];
  if (static_cast<std::int64_t>(known.size()) < offset + width)
    known.resize(static_cast<std::size_t>(offset + width), -1);
  for (int byte = 0; byte < width; ++byte) known[static_cast<std::size_t>(offset + byte)] = loc;
  const Extent& extent = extents_[object];
  bool initialised = extent.layout < 0 || extent.allocation == Allocation::kZeroed;
  places_.push_back({pointer_to(static_cast<std::int64_t>(object) + 1, offset), 0, width, initialised, false});
  return loc;
}

}  // namespace porf::explore
