// The shortest cycle of forced edges in one location, for evidence: over all of happens-before, not the
// stream's few edges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
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
  void add(std::int32_t row, std::int32_t thread, std::int32_t index, std::int32_t chain, const Ints& clock) {
    accesses_.push_back({row, thread, index, chain});
    clocks_.insert(clocks_.end(), clock.begin(), clock.end());
  }

  // Breadth-first over chains: one hop is any access of one chain's value that happens before an access of another's. A
  // shortest cycle through one of the chains, as far as a fixed effort goes. Some cycle must run through them.
  std::vector<GroundedEdge> find(const Ints& chains) const {
    constexpr double kEffort = 3e8;
    double effort = 0;
    std::vector<GroundedEdge> best;
    for (std::int32_t root : chains) {
      auto cycle = through(root, best.empty() ? chains.size() + 1 : best.size());
      if (!cycle.empty()) best = std::move(cycle);
      effort += static_cast<double>(accesses_.size()) * static_cast<double>(accesses_.size());
      if (best.size() == 2 || effort > kEffort) break;
    }
    return best;
  }

 private:
  struct Access {
    std::int32_t row, thread, index, chain;
  };
  struct Hop {
    std::int32_t from = kNone;  // access
    std::int32_t to = kNone;    // access
  };

  std::vector<GroundedEdge> through(std::int32_t root, std::size_t shorter_than) const {
    std::unordered_map<std::int32_t, Ints> values;
    for (std::size_t i = 0; i < accesses_.size(); ++i)
      values[accesses_[i].chain].push_back(static_cast<std::int32_t>(i));
    std::unordered_map<std::int32_t, Hop> hops;  // per chain reached: how
    Ints queue{root};
    Large<std::size_t> depth{1};
    for (std::size_t head = 0; head < queue.size(); ++head) {
      if (depth[head] >= shorter_than) return {};
      for (std::size_t place = 0; place < accesses_.size(); ++place) {
        const Access& event = accesses_[place];
        if (event.chain == queue[head] || (event.chain != root && hops.contains(event.chain))) continue;
        std::int32_t a = ground(values[queue[head]], event, place);
        if (a == kNone) continue;
        if (event.chain != root) {
          hops[event.chain] = {a, static_cast<std::int32_t>(place)};
          queue.push_back(event.chain);
          depth.push_back(depth[head] + 1);
          continue;
        }
        std::vector<GroundedEdge> cycle{{queue[head], root, accesses_[a].row, event.row}};
        for (std::int32_t chain = queue[head]; chain != root;) {
          const Hop& hop = hops[chain];
          const Access& from = accesses_[hop.from];
          cycle.push_back({from.chain, chain, from.row, accesses_[hop.to].row});
          chain = from.chain;
        }
        std::reverse(cycle.begin(), cycle.end());
        return cycle;
      }
    }
    return {};
  }

  // Per access of the chain's values: some access that happens before it, or kNone; indexed by what it is before.
  // `values` are the accesses that leave a value of one chain, first to last; the latest that happens before the event.
  std::int32_t ground(const Ints& values, const Access& event, std::size_t place) const {
    const std::int32_t* clock = clocks_.data() + place * threads_;
    for (std::size_t i = values.size(); i-- > 0;) {
      const Access& value = accesses_[values[i]];
      if (clock[value.thread] >= value.index && value.row != event.row) return values[i];
    }
    return kNone;
  }

  std::int32_t loc_;
  std::int32_t threads_;
  std::vector<Access> accesses_;
  Ints clocks_;
};

}  // namespace porf::coherence
