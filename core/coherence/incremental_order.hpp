// A topological order kept up to date as edges come (Pearce and Kelly's algorithm): each edge costs only what
// it displaces.
#pragma once

#include <algorithm>
#include <cstdint>

#include "memory.hpp"

namespace porf::coherence {

class IncrementalOrder {
 public:
  void grow(std::int32_t nodes) {
    for (auto n = static_cast<std::int32_t>(place_.size()); n < nodes; ++n) place_.push_back(n);
    out_.resize(nodes, -1);
    in_.resize(nodes, -1);
    mark_.resize(nodes, 0);
  }

  // False when the edge closes a cycle; it is then not added.
  bool add(std::int32_t from, std::int32_t to) {
    if (from == to) return false;
    if (place_[from] > place_[to] && !reorder(from, to)) return false;
    links_.push_back({to, out_[from]});
    out_[from] = static_cast<std::int32_t>(links_.size()) - 1;
    links_.push_back({from, in_[to]});
    in_[to] = static_cast<std::int32_t>(links_.size()) - 1;
    return true;
  }

  // Calls visit(node) for every strict ancestor of the given nodes, each once.
  template <typename Visit>
  void ancestors(const Ints& nodes, Visit&& visit) {
    ++epoch_;
    work_ = nodes;
    while (!work_.empty()) {
      std::int32_t v = work_.back();
      work_.pop_back();
      for (std::int32_t l = in_[v]; l != -1; l = links_[l].next) {
        std::int32_t u = links_[l].node;
        if (mark_[u] == epoch_) continue;
        mark_[u] = epoch_;
        visit(u);
        work_.push_back(u);
      }
    }
  }

 private:
  struct Link {
    std::int32_t node, next;
  };

  bool reorder(std::int32_t from, std::int32_t to) {
    std::int32_t upper = place_[from], lower = place_[to];
    if (!collect(to, out_, after_, [&](std::int32_t v) { return place_[v] <= upper; }, from)) return false;
    collect(from, in_, before_, [&](std::int32_t v) { return place_[v] >= lower; }, -1);
    auto by_place = [&](std::int32_t a, std::int32_t b) { return place_[a] < place_[b]; };
    std::sort(before_.begin(), before_.end(), by_place);
    std::sort(after_.begin(), after_.end(), by_place);
    pool_.clear();
    for (std::int32_t v : before_) pool_.push_back(place_[v]);
    for (std::int32_t v : after_) pool_.push_back(place_[v]);
    std::sort(pool_.begin(), pool_.end());
    std::size_t next = 0;
    for (std::int32_t v : before_) place_[v] = pool_[next++];
    for (std::int32_t v : after_) place_[v] = pool_[next++];
    return true;
  }

  // What is reachable from `root` through nodes that are within; false when `forbidden` is.
  template <typename Within>
  bool collect(std::int32_t root, const Ints& first, Ints& found, Within&& within, std::int32_t forbidden) {
    ++epoch_;
    found.assign(1, root);
    mark_[root] = epoch_;
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (std::int32_t l = first[found[i]]; l != -1; l = links_[l].next) {
        std::int32_t v = links_[l].node;
        if (v == forbidden) return false;
        if (mark_[v] == epoch_ || !within(v)) continue;
        mark_[v] = epoch_;
        found.push_back(v);
      }
    }
    return true;
  }

  Ints place_;  // per node: where it stands
  Ints out_, in_;
  Large<Link> links_;
  Large<std::uint32_t> mark_;
  std::uint32_t epoch_ = 0;
  Ints before_, after_, pool_, work_;
};

}  // namespace porf::coherence
