// The shortest cycle of forced edges in one location, for evidence: over all of happens-before, not the
// stream's few edges.
#pragma once

#include <cstdint>
#include <vector>

#include "coherence/check.hpp"
#include "coherence/scan.hpp"
#include "execution.hpp"
#include "memory.hpp"

namespace porf::coherence {

// What is known of the accesses of one location after a scan.
class LocationCycle {
 public:
  LocationCycle(std::int32_t loc, std::int32_t threads) : loc_(loc), threads_(threads) {}

  std::int32_t location() const { return loc_; }

  // Takes an access of the location, in scan order, with its thread's clock after it.
  void add(std::int32_t row, std::int32_t thread, std::int32_t index, std::int32_t chain, const Ints& clock);

  // A shortest cycle through one of the chains, as far as a fixed effort goes. Some cycle must run through
  // them.
  std::vector<GroundedEdge> find(const Ints& chains) const;

 private:
  struct Access {
    std::int32_t row, thread, index, chain;
  };
  struct Hop {
    std::int32_t from = kNone;  // access
    std::int32_t to = kNone;    // access
  };

  std::vector<GroundedEdge> through(std::int32_t root, std::size_t shorter_than) const;
  // Per access of the chain's values: some access that happens before it, or kNone; indexed by what it is
  // before.
  std::int32_t ground(const Ints& values, const Access& event, std::size_t place) const;

  std::int32_t loc_;
  std::int32_t threads_;
  std::vector<Access> accesses_;
  Ints clocks_;
};

}  // namespace porf::coherence
