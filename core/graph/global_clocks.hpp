// Vector clocks over a whole graph of events: how many events of each thread come before each event, and itself.
#pragma once

#include <algorithm>
#include <cstdint>

#include "allowance.hpp"
#include "execution.hpp"
#include "graph/edge_graph.hpp"
#include "memory.hpp"

namespace porf {

class GlobalClocks {
 public:
  GlobalClocks(const Execution& x, const Ints& index) : x_(x), index_(index) {}

  static std::uint64_t bytes_for(const Execution& x) {
    return sizeof(std::int32_t) * static_cast<std::uint64_t>(x.size()) * static_cast<std::uint64_t>(x.threads);
  }

  // The graph is acyclic and has at least the steps of program order.
  void compute(const EdgeGraph& graph) {
    Toil toil;
    auto k = static_cast<std::size_t>(x_.threads);
    clear(toil);
    for (std::int32_t e : graph.order()) {
      toil.demand(k);
      std::int32_t* own = clock_.data() + static_cast<std::size_t>(e) * k;
      own[x_.thread[e]] = std::max(own[x_.thread[e]], index_[e]);
      graph.each_target(e, [&](std::int32_t f) {
        std::int32_t* other = clock_.data() + static_cast<std::size_t>(f) * k;
        for (std::size_t t = 0; t < k; ++t) other[t] = std::max(other[t], own[t]);
      });
    }
  }

  // Starts from another's clocks, over the same events.
  void start_from(const GlobalClocks& other) {
    Toil toil;
    clock_.clear();
    clock_.reserve(other.clock_.size());
    while (clock_.size() < other.clock_.size()) {
      toil.demand(kPart);
      const std::size_t end = std::min(other.clock_.size(), clock_.size() + kPart);
      clock_.insert(clock_.end(), other.clock_.data() + clock_.size(), other.clock_.data() + end);
    }
  }

  // f learns what e knows; whether any of it was new.
  bool learn(std::int32_t e, std::int32_t f) {
    auto k = static_cast<std::size_t>(x_.threads);
    const std::int32_t* own = clock_.data() + static_cast<std::size_t>(e) * k;
    std::int32_t* other = clock_.data() + static_cast<std::size_t>(f) * k;
    bool fresh = false;
    for (std::size_t t = 0; t < k; ++t) {
      fresh |= own[t] > other[t];
      other[t] = std::max(other[t], own[t]);
    }
    return fresh;
  }

  std::int32_t seen(std::int32_t e, std::int32_t t) const {
    return clock_[static_cast<std::size_t>(e) * x_.threads + t];
  }
  bool before(std::int32_t e, std::int32_t f) const { return seen(f, x_.thread[e]) >= index_[e]; }
  // Notes that e comes before f, without what follows from it: enough to not derive the same edge twice.
  void note(std::int32_t e, std::int32_t f) {
    std::int32_t& entry = clock_[static_cast<std::size_t>(f) * x_.threads + x_.thread[e]];
    entry = std::max(entry, index_[e]);
  }

 private:
  static constexpr std::size_t kPart = std::size_t{1} << 20;  // at one go: there may be gigabytes of clocks

  // All zero.
  void clear(Toil& toil) {
    const std::size_t all = static_cast<std::size_t>(x_.size()) * static_cast<std::size_t>(x_.threads);
    clock_.clear();
    clock_.reserve(all);
    while (clock_.size() < all) {
      toil.demand(kPart);
      clock_.resize(std::min(all, clock_.size() + kPart), 0);
    }
  }

  const Execution& x_;
  const Ints& index_;
  Ints clock_;
};

}  // namespace porf
