// Names as numbers: each distinct name gets the next number, and its bytes are kept once in one growing block.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace porf::formats {

class Names {
 public:
  Names() : slots_(kFirstSlots) {}

  std::int32_t size() const { return static_cast<std::int32_t>(ends_.size()); }

  std::string_view operator[](std::int32_t number) const {
    const std::int64_t begin = number == 0 ? 0 : ends_[number - 1];
    return {bytes_.data() + begin, static_cast<std::size_t>(ends_[number] - begin)};
  }

  // The number of a name, given on first sight.
  std::int32_t intern(std::string_view name) {
    const std::uint32_t hash = hash_of(name);
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at].number >= 0) {
      if (slots_[at].hash == hash && (*this)[slots_[at].number] == name) return slots_[at].number;
      at = (at + 1) & (slots_.size() - 1);
    }
    const std::int32_t number = size();
    slots_[at] = {hash, number};
    bytes_.append(name);
    ends_.push_back(static_cast<std::int64_t>(bytes_.size()));
    if (ends_.size() * 2 > slots_.size()) grow();
    return number;
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::int32_t number = -1;
  };
  static constexpr std::size_t kFirstSlots = 64;

  static std::uint32_t hash_of(std::string_view name) {
    std::uint64_t h = 0x9E3779B97F4A7C15u ^ name.size();
    const char* p = name.data();
    std::size_t left = name.size();
    for (; left >= 8; p += 8, left -= 8) {
      std::uint64_t word;
      std::memcpy(&word, p, 8);
      h = mix(h ^ word);
    }
    std::uint64_t tail = 0;
    std::memcpy(&tail, p, left);
    h = mix(h ^ tail);
    return static_cast<std::uint32_t>(h ^ (h >> 32));
  }

  static std::uint64_t mix(std::uint64_t h) {
    h *= 0xD6E8FEB86659FD93u;
    h ^= h >> 32;
    return h * 0xD6E8FEB86659FD93u;
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.number < 0) continue;
      std::size_t at = slot.hash & (slots_.size() - 1);
      while (slots_[at].number >= 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }

  std::string bytes_;
  std::vector<std::int64_t> ends_;
  std::vector<Slot> slots_;
};

}  // namespace porf::formats
