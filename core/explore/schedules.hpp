// The schedules of one place of an exploration: which are still to be run, and which were ever there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace porf::explore {

// One observation: the thread whose next event it is, and the event's source, by its number in the graph that
// running the schedule makes. `fails`: a weak compare-exchange that fails although it need not.
struct Step {
  std::int32_t thread = 0;
  std::int32_t source = 0;
  bool fails = false;
};

// A number of 128 bits of a set of observations. It is a sum, so that the order does not matter.
struct Digest {
  std::uint64_t high = 0, low = 0;

  bool operator==(const Digest&) const = default;
  Digest& operator+=(const Digest& other) {
    high += other.high;
    low += other.low;
    return *this;
  }
};

// Of one observation: an event's thread and index, and those of its source.
inline Digest observation(std::int32_t thread, std::int32_t index, std::int32_t source_thread,
                          std::int32_t source_index, bool fails) {
  auto mix = [](std::uint64_t x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
  };
  auto word = [](std::int32_t a, std::int32_t b) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32 | static_cast<std::uint32_t>(b);
  };
  std::uint64_t event = mix(word(thread, index) + 0x9E3779B97F4A7C15u);
  std::uint64_t source = word(source_thread, source_index) ^ static_cast<std::uint64_t>(fails) << 62;
  return {mix(event ^ mix(source + 0x632BE59BD9B4E019u)), mix(event + mix(source + 0xD1B54A32D192ED03u))};
}

class Schedules {
 public:
  // Whether no schedule with this digest was ever here; now one is.
  bool insert(const Digest& digest) {
    if (4 * (count_ + 1) > 3 * slots_.size()) grow();
    Digest& slot = place(slots_, digest);
    if (slot == digest) return false;
    slot = digest;
    ++count_;
    return true;
  }

  // A schedule is added step by step.
  void begin() { begins_.push_back(steps_.size()); }
  void add(const Step& step) { steps_.push_back(step); }

  std::size_t waiting() const { return begins_.size(); }

  // Moves the schedule that was added last to `out`.
  void take(std::vector<Step>& out) {
    out.assign(steps_.begin() + static_cast<std::ptrdiff_t>(begins_.back()), steps_.end());
    steps_.resize(begins_.back());
    begins_.pop_back();
  }

  // Nothing was ever here. Large tables are given back, so that this costs no more than filling them did.
  void clear() {
    begins_.clear();
    if (slots_.size() > kKept) {
      slots_ = {};
      steps_ = {};
    } else if (count_ > 0) {
      slots_.assign(slots_.size(), Digest{});
      steps_.clear();
    }
    count_ = 0;
  }

  std::size_t bytes() const {
    return slots_.capacity() * sizeof(Digest) + steps_.capacity() * sizeof(Step) +
           begins_.capacity() * sizeof(std::size_t);
  }

 private:
  static constexpr std::size_t kKept = 64;

  // The digest's place in a table that has room; a digest of zero stands for none.
  static Digest& place(std::vector<Digest>& slots, const Digest& digest) {
    std::size_t mask = slots.size() - 1, i = digest.low & mask;
    while (!(slots[i] == Digest{}) && !(slots[i] == digest)) i = (i + 1) & mask;
    return slots[i];
  }

  void grow() {
    std::vector<Digest> larger(slots_.empty() ? 8 : 2 * slots_.size());
    for (const Digest& digest : slots_)
      if (!(digest == Digest{})) place(larger, digest) = digest;
    slots_.swap(larger);
  }

  std::vector<Digest> slots_;
  std::size_t count_ = 0;
  std::vector<Step> steps_;
  std::vector<std::size_t> begins_;
};

}  // namespace porf::explore
