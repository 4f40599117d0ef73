#include "explore/memory_map.hpp"

#include <algorithm>

#include "explore/arithmetic.hpp"
#include "explore/frame.hpp"

namespace porf::explore {

// Cells; of an object with so many, the program may not declare the last ones.
static constexpr std::size_t kMany = 1024;

MemoryMap::MemoryMap(const Program& program, bool gaps) : program_(program), gaps_(gaps) {
  for (std::size_t o = 0; o < program.objects.size(); ++o) {
    extents_.push_back({.size = program.objects[o].size, .raceless = program.objects[o].raceless});
    at_.emplace_back();
    for (const Cell& cell : program.objects[o].cells) {
      Place& place = places_[static_cast<std::size_t>(cover(o, cell.offset, cell.width))];
      place.initial = cell.initial;
      place.initialised = cell.initialised;
      if (!cell.initialised) place.initial = unset_.none(cell.width, true, place.pointer);
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

// The location that covers a byte, also if it is only declared so far; -1 if none. Of those that overlap, it is the one
// that is declared or was there first.
std::int32_t MemoryMap::at(std::size_t object, std::int64_t byte) {
  if (std::int32_t loc = known(object, byte); loc >= 0) return loc;
  if (extents_[object].layout < 0) return -1;
  auto [offset, width] = covering(object, byte);
  if (width == 0) return -1;
  std::int32_t loc = cover(object, offset, width);
  places_[loc].declared = true;
  return loc;
}

std::pair<std::int64_t, std::int64_t> MemoryMap::covering(std::size_t object, std::int64_t byte) const {
  const Extent& extent = extents_[object];
  if (extent.layout < 0) {
    std::int32_t loc = known(object, byte);
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
  std::size_t cells = declared_cells(object);
  if (cells == 0) return 0;
  auto [begin, width] = covering(object, offset);
  if (width > 0) return begin == offset ? width : 0;
  std::int64_t end = offset + left, gap = cells < kMany ? left : 0;
  // Large objects have few declared places, the first ones: behind these, nothing is looked for.
  const std::int32_t layout = extents_[object].layout;
  const Object& form = layout < 0 ? program_.objects[object] : program_.layouts[static_cast<std::size_t>(layout)];
  const std::int64_t period =
      layout < 0 ? end : static_cast<std::int64_t>(cell_at_[static_cast<std::size_t>(layout)].size());
  std::int64_t behind = 0;
  for (const Cell& cell : form.cells) behind = std::max<std::int64_t>(behind, cell.offset + cell.width);
  for (std::int64_t byte = offset + 1; byte < end; ++byte)
    if (const std::int64_t inside = layout < 0 ? byte : byte % period; inside >= behind) {
      byte += period - inside - 1;
    } else if (covering(object, byte).second > 0) {
      gap = byte - offset;
      break;
    }
  if (!gaps_ || gap == 0) return -gap;
  for (width = 8; width > gap || offset % width != 0;) width /= 2;
  return width;
}

std::int32_t MemoryMap::settle(std::size_t object, std::int64_t offset, std::int64_t width, bool splits, Fault& fault) {
  auto [begin, declared] = covering(object, offset);
  if (declared == width && begin == offset) return at(object, offset);
  if (splits && tiled(object, offset, width)) return at(object, offset);
  if (offset % width != 0) return fault = Fault::kMisaligned, -1;
  return exact(object, offset, width);
}

// Whether bytes are those of some declared places.
bool MemoryMap::tiled(std::size_t object, std::int64_t offset, std::int64_t width) const {
  for (std::int64_t byte = offset; byte < offset + width;) {
    auto [begin, declared] = covering(object, byte);
    if (declared == 0 || begin != byte || begin + declared > offset + width) return false;
    byte += declared;
  }
  return true;
}

// The location of just these bytes, which may overlap with others.
std::int32_t MemoryMap::exact(std::size_t object, std::int64_t offset, std::int64_t width) {
  if (std::size_t cells = declared_cells(object); !gaps_ && cells > 0 && cells < kMany)
    for (std::int64_t byte = offset; byte < offset + width; ++byte)
      if (covering(object, byte).second == 0) throw Grow{Grow::kGaps};
  if (!overlaps(object, offset, width)) {
    std::int32_t loc = cover(object, offset, width);
    if (rest_is_set(object)) {
      places_[loc].initialised = true;
      places_[loc].initial = 0;
    }
    return loc;
  }
  auto number = static_cast<std::int64_t>(object) + 1;
  auto [it, fresh] = others_.try_emplace({pointer_to(number, offset), width}, -1);
  if (!fresh) return it->second;
  Halves initial;
  for (std::int64_t byte = width - 1; byte >= 0; --byte) initial[byte / 8].append(first_byte(number, offset + byte));
  auto [rivals, is_new] = rivals_.try_emplace(block_of(pointer_to(number, offset)));
  if (is_new)
    for (std::int64_t first = offset / kBlock * kBlock, byte = first; byte < first + kBlock; ++byte) {
      std::int32_t loc = known(object, byte);
      if (loc >= 0 && offset_of(places_[loc].pointer) == byte) rivals->second.push_back(loc);
    }
  it->second = add(object, offset, static_cast<std::uint8_t>(width));
  Place& place = places_[it->second];
  place.initialised = is_set(initial);
  place.initial = value_of(initial, place);
  return it->second;
}

// Whether a location shares a byte with these.
bool MemoryMap::overlaps(std::size_t object, std::int64_t offset, std::int64_t width) {
  for (std::int64_t byte = offset; byte < offset + width; ++byte)
    if (at(object, byte) >= 0) return true;
  return false;
}

Bytes MemoryMap::first_byte(std::int64_t number, std::int64_t byte) {
  auto object = static_cast<std::size_t>(number) - 1;
  std::int32_t loc = at(object, byte);
  if (loc < 0) return {0, rest_is_set(object) ? 0u : 0xFFu};
  return byte_of(loc, places_[loc].initial, byte - offset_of(places_[loc].pointer));
}

Bytes MemoryMap::byte_of(std::int32_t loc, std::int64_t value, std::int64_t byte) const {
  if (places_[loc].width > 8) value = byte < 8 ? pairs_.value(value).first : pairs_.value(value).second;
  return Bytes::of(unset_.open(value), byte % 8);
}

std::int64_t MemoryMap::value_of(const Halves& halves, const Place& place) {
  std::uint8_t width = std::min<std::uint8_t>(place.width, 8);
  std::int64_t low = unset_.close(halves[0].partial(width, place.pointer));
  return place.width > 8 ? pairs_.number(low, unset_.close(halves[1].partial(8, place.pointer))) : low;
}

std::int32_t MemoryMap::aged(std::int32_t loc, std::int32_t age, const Halves& bytes) {
  std::int64_t initial = value_of(bytes, places_[loc]);
  auto [it, fresh] = aged_.try_emplace({loc, age, initial}, -1);
  if (!fresh) return it->second;
  const Place& place = places_[loc];
  it->second = add(static_cast<std::size_t>(number_of(place.pointer)) - 1, offset_of(place.pointer), place.width);
  Place& later = places_[it->second];
  later.age = age;
  later.initial = initial;
  later.initialised = is_set(bytes);
  return it->second;
}

std::int32_t MemoryMap::cover(std::size_t object, std::int64_t offset, std::int64_t width) {
  std::vector<std::int32_t>& at = at_[object];
  if (static_cast<std::int64_t>(at.size()) < offset + width) at.resize(static_cast<std::size_t>(offset + width), -1);
  std::int32_t loc = add(object, offset, static_cast<std::uint8_t>(width));
  std::fill_n(at.begin() + offset, width, loc);
  return loc;
}

std::int32_t MemoryMap::add(std::size_t object, std::int64_t offset, std::uint8_t width) {
  auto loc = static_cast<std::int32_t>(places_.size());
  std::int64_t pointer = pointer_to(static_cast<std::int64_t>(object) + 1, offset);
  bool is_set = set_at_first(object), is_constant = extents_[object].layout < 0 && program_.objects[object].constant;
  places_.push_back({pointer, is_set ? 0 : unset_.none(width, true, pointer), width, is_set, is_constant, false});
  if (object >= places_of_.size()) places_of_.resize(extents_.size());
  places_of_[object].push_back(loc);
  if (!rivals_.empty())
    if (auto it = rivals_.find(block_of(places_.back().pointer)); it != rivals_.end()) it->second.push_back(loc);
  return loc;
}

}  // namespace porf::explore
