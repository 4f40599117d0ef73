#include "testing/coverage.hpp"

#include <algorithm>

namespace porf::testing {

std::uint64_t Coverage::met(std::uint32_t times) const {
  return static_cast<std::uint64_t>(
      std::count_if(classes.begin(), classes.end(), [&](const auto& c) { return c.second == times; }));
}

void Coverage::add(const Coverage& other) {
  for (const auto& [hash, count] : other.classes) {
    auto it = classes.find(hash);
    if (it != classes.end())
      it->second += count;
    else if (classes.size() < kMostClasses)
      classes.emplace(hash, count);
    else
      full = true;
  }
  once = met(1);
  twice = met(2);
  edges.insert(other.edges.begin(), other.edges.end());
  full |= other.full;
  if (milestones.empty()) milestones = other.milestones;
}

}  // namespace porf::testing
