// The core's picture of an execution: integer columns, borrowed from whoever owns them. No names, no files.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace porf {

enum Op : std::uint8_t { kRead = 0, kWrite = 1, kUpdate = 2, kFence = 3 };
enum Order : std::uint8_t { kNa = 0, kRlx = 1, kAcq = 2, kRel = 3, kAcqRel = 4, kSc = 5 };

inline constexpr std::int32_t kInitial = -1;  // rf: the initial value of the location

// Rows whose events depend on reads: from[i] feeds to[i]. A store-conditional depends on its load: they are exclusive.
struct Dependency {
  std::span<const std::int32_t> from, to;
};
enum DependencyKind : int { kAddress = 0, kData = 1, kControl = 2, kExclusive = 3, kDependencyKinds = 4 };

// What an architecture says of events beyond their order: bit k of a row for its k-th tag.
struct Tags {
  std::span<const std::uint64_t> bits;          // empty: no event has any
  std::uint64_t of_reads = ~std::uint64_t{0};   // what the reading half of an update keeps
  std::uint64_t of_writes = ~std::uint64_t{0};  // what its writing half keeps
};
inline constexpr std::int32_t kTags = 64;

struct Execution {
  std::span<const std::int32_t> thread;
  std::span<const std::uint8_t> op;
  std::span<const std::int32_t> loc;
  std::span<const std::uint8_t> order;
  std::span<const std::int32_t> rf;
  std::int32_t threads = 0;
  std::int32_t locations = 0;
  std::array<Dependency, kDependencyKinds> dependencies = {};
  Tags tags = {};

  std::int32_t size() const { return static_cast<std::int32_t>(thread.size()); }
  bool reads(std::int32_t e) const { return op[e] == kRead || op[e] == kUpdate; }
  bool writes(std::int32_t e) const { return op[e] == kWrite || op[e] == kUpdate; }
};

constexpr bool acquires(std::uint8_t order) { return order == kAcq || order >= kAcqRel; }
constexpr bool releases(std::uint8_t order) { return order >= kRel; }

}  // namespace porf
