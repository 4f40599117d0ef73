// What the runs of a test have seen: classes of (po, rf), each with how often, and edges of reads-from between
// instructions; and how both have grown.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace porf::testing {

// How much had been seen after so many runs.
struct Milestone {
  std::uint64_t runs = 0;
  std::uint64_t classes = 0;
  std::uint64_t edges = 0;
};

struct Coverage {
  static constexpr std::size_t kMostClasses = std::size_t{1} << 22;  // that are told apart

  std::unordered_map<std::uint64_t, std::uint32_t> classes;  // of complete executions, by a hash -> how often
  std::unordered_set<std::uint64_t> edges;  // (write's instruction, read's instruction, threads), a hash
  std::vector<Milestone> milestones;        // after 1, 2, 4, 8, ... runs
  std::uint64_t once = 0, twice = 0;        // classes that were met just so often
  bool full = false;                        // there were more classes than are remembered

  void meet(std::uint64_t hash) {
    if (auto it = classes.find(hash); it != classes.end()) {
      once -= it->second == 1;
      twice += it->second == 1;
      twice -= it->second == 2;
      ++it->second;
    } else if (classes.size() < kMostClasses) {
      classes.emplace(hash, 1);
      ++once;
    } else {
      full = true;
    }
  }

  // So many runs have ended.
  void mark(std::uint64_t runs) {
    if ((runs & (runs - 1)) == 0) milestones.push_back({runs, classes.size(), edges.size()});
  }

  // Classes that were met just so often, counted anew.
  std::uint64_t met(std::uint32_t times) const;

  // Takes up what another part of the test has seen; its milestones are its own.
  void add(const Coverage& other);
};

}  // namespace porf::testing
