// Vectors for columns of millions of entries: large blocks ask the system for huge pages, which cost far fewer faults.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "allowance.hpp"

namespace porf {

template <typename T>
struct LargeAllocator {
  using value_type = T;

  LargeAllocator() = default;
  template <typename U>
  LargeAllocator(const LargeAllocator<U>&) {}

  T* allocate(std::size_t n) {
    std::size_t bytes = n * sizeof(T);
    if (bytes >= kLarge) Allowance::of_thread().claim(bytes);
    void* block = ::operator new(bytes);
    if (bytes >= kLarge) advise(block, bytes);
    return static_cast<T*>(block);
  }

  void deallocate(T* block, std::size_t) { ::operator delete(block); }

  template <typename U>
  bool operator==(const LargeAllocator<U>&) const {
    return true;
  }

 private:
  static constexpr std::size_t kHugePage = std::size_t{1} << 21;
  static constexpr std::size_t kLarge = kHugePage / 2;

  // Only advice, and only for the huge pages that lie wholly within the block: nothing depends on its being taken.
  static void advise([[maybe_unused]] void* block, [[maybe_unused]] std::size_t bytes) {
#ifdef __linux__
    auto first = reinterpret_cast<std::uintptr_t>(block) & ~(kHugePage - 1);
    auto last = (reinterpret_cast<std::uintptr_t>(block) + bytes + kHugePage - 1) & ~(kHugePage - 1);
    madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
  }
};

template <typename T>
using Large = std::vector<T, LargeAllocator<T>>;

using Ints = Large<std::int32_t>;

}  // namespace porf
