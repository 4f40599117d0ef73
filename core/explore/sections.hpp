// Critical sections that commute (docs/design/exploration.md, "Critical sections that commute"). A mutex is divided
// into parts, one for each group of places that its sections access; sections of different groups are not put in order.
// What is known of the groups is what explorations have met so far: if it turns out wrong, another one begins.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "explore/section_table.hpp"

namespace porf::explore {

// Thrown when more was learnt of a program's sections: what was explored so far does not count.
struct LearntSections {};

class Sections {
 public:
  static constexpr std::int32_t kNoGroup = -1;

  explicit Sections(const SectionTable& known)
      : whole_(known.whole.begin(), known.whole.end()), given_up_(known.given_up) {
    for (const auto& [mutex, place, group] : known.groups) {
      groups_[{mutex, place}] = group;
      next_group_ = std::max(next_group_, group + 1);
    }
  }
  SectionTable table() const {
    SectionTable known{{whole_.begin(), whole_.end()}, {}, given_up_};
    for (const auto& [key, group] : groups_) known.groups.emplace_back(key.first, key.second, group);
    return known;
  }

  // An exploration begins, from the root or not.
  void begin(bool at_root) {
    lessons_ = 0;
    unordered_ = false;
    is_first_ = at_root;
    given_up_ |= ++begun_ > kPatience;
  }

  bool is_divided(std::int64_t mutex) const { return !whole_.contains(mutex); }
  std::int32_t group_of(std::int64_t mutex, std::int64_t place) const {
    auto it = groups_.find({mutex, place});
    return it == groups_.end() ? kNoGroup : it->second;
  }

  // A mutex cannot be divided after all. If the exploration goes on only to learn, perhaps it can.
  [[noreturn]] void keep_whole(std::int64_t mutex) {
    if (!is_learning()) whole_.insert(mutex);
    throw LearntSections{};
  }
  // Likewise no mutex.
  [[noreturn]] void give_up() {
    given_up_ |= !is_learning();
    throw LearntSections{};
  }
  // Sections of a mutex that are in two groups, or in none so far, share a place. The exploration can go on for a
  // while, to learn which other places they share.
  void join(std::int64_t mutex, std::int64_t place, std::int32_t a, std::int32_t b) {
    std::int32_t group = next_group_++;
    std::int32_t c = group_of(mutex, place);
    groups_[{mutex, place}] = group;
    for (auto& [key, of] : groups_)
      if (key.first == mutex && of != kNoGroup && (of == a || of == b || of == c)) of = group;
    lessons_ = std::max(lessons_, 1);
  }
  // Between two events: it has learnt something, and goes on.
  bool is_learning() const { return lessons_ > 0; }
  void go_on_learning() {
    if (is_learning() && ++lessons_ > kLessons) throw LearntSections{};
  }
  bool given_up() const { return given_up_; }

  // An execution has come to its end, in which there are threads that are alike, or not. If it is the first one, and
  // all its sections are in order, more is gained by symmetry, which does not know of parts.
  void end_execution(bool are_alike) {
    if (is_learning()) throw LearntSections{};
    if (is_first_ && are_alike && !unordered_) give_up();
    is_first_ = false;
  }

  // In the present exploration there are sections that need not be in order with all others of their mutex.
  void note_unordered() { unordered_ = true; }
  bool has_unordered() const { return unordered_; }

 private:
  static constexpr std::int32_t kPatience = 100;  // explorations
  static constexpr std::int32_t kLessons = 1000;  // events

  std::set<std::int64_t> whole_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int32_t> groups_;  // mutex, place -> group
  std::int32_t next_group_ = 0;
  std::int32_t begun_ = 0;
  std::int32_t lessons_ = 0;  // events since there was something to learn, 0 if there was nothing
  bool given_up_ = false;
  bool unordered_ = false;
  bool is_first_ = false;  // no execution has come to its end
};

}  // namespace porf::explore
