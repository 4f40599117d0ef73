// The writes of a location in a part of a graph, chain by chain, as a read sees them that waits for some of their
// values. Which of them it takes by default, and which it can be left without: docs/design/exploration.md, "Waiting
// without waste".
//
// A write is *safe* if reading it stays consistent whatever is added to the part. By coherence it is so if all that the
// read has seen of the location is directly before the write's chain; other engines say it of each write. It is *good*
// if its value ends the wait.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "explore/bits.hpp"
#include "explore/frame.hpp"
#include "explore/graph.hpp"

namespace porf::explore {

// Numbers the chains of a location as they are met; that of the initial value is 0.
template <int kWords>
class Chains {
 public:
  void clear() {
    for (std::int32_t e : met_) at_[e] = {};
    met_.clear();
    roots_.clear();
  }

  // The chain of the value that an access leaves, and its place there.
  struct Spot {
    std::int32_t chain = -1, place = 0;
  };
  Spot of(const Graph& g, std::int32_t e) {
    if (!g[e].writes()) e = g[e].rf;
    if (static_cast<std::size_t>(g.size()) > at_.size()) at_.resize(static_cast<std::size_t>(g.size()) * 2);
    std::size_t first = met_.size();
    for (; e >= 0 && at_[e].chain < 0 && g[e].op == kUpdate; e = g[e].rf) met_.push_back(e);
    std::size_t last = met_.size();
    Spot spot = e < 0 ? Spot{0, 0} : at_[e].chain < 0 ? begin(e) : at_[e];
    for (std::size_t i = last; i-- > first;) {
      ++spot.place;
      at_[met_[i]] = spot;
    }
    return spot;
  }
  std::int32_t root(std::int32_t chain) const { return roots_[static_cast<std::size_t>(chain) - 1]; }

 private:
  Spot begin(std::int32_t write) {
    if (roots_.size() + 1 >= 64 * kWords) throw Grow{Grow::kWrites};
    roots_.push_back(write);
    met_.push_back(write);
    return at_[write] = {static_cast<std::int32_t>(roots_.size()), 0};
  }

  std::vector<std::int32_t> roots_;  // the first write of each chain
  std::vector<Spot> at_;             // of writes
  std::vector<std::int32_t> met_;
};

template <int kWords>
class ChainSources {
  using Set = Bits<kWords>;

 public:
  void clear() { begin(false, false); }
  // What is safe is said of each write, and of the initial value.
  void clear_for_said(bool is_initial_safe) { begin(true, is_initial_safe); }

  // An access of a value of this chain, after those chains.
  void add_access(std::int32_t chain, const Set& seen) {
    touch(chain);
    before_[chain].add(seen);
  }
  void add_write(std::int32_t event, std::int32_t chain, std::int32_t place, bool is_safe = false) {
    touch(chain);
    writes_.push_back({event, chain, place, false, false, is_safe});
    if (place < tail_[chain]) return;
    tail_[chain] = place;
    last_[chain] = event;
  }
  // The read has seen this place of a chain.
  void know(std::int32_t chain, std::int32_t place) {
    if (!known_.test(chain)) least_[chain] = 0;
    known_.set(chain);
    least_[chain] = std::max(least_[chain], place);
  }

  // `is_good(write)`: whether its value ends the wait; `takes(write)`: whether the read then also writes.
  template <typename IsGood, typename Takes>
  void judge(IsGood is_good, Takes takes) {
    for (Write& w : writes_) {
      w.good = is_good(w.event);
      if (!w.good) continue;
      w.takes = takes(w.event);
      if (!is_safe(w)) continue;
      good_.set(w.chain);
      takes_ &= w.takes;
    }
  }

  bool is_good(std::int32_t event) const { return of(event).good; }

  // The end of the first chain that nothing follows.
  template <typename Key>
  std::int32_t tail(Key key) const {
    return last_[last_of(present_, key)];
  }

  bool has_good() const {
    return std::any_of(writes_.begin(), writes_.end(), [](const Write& w) { return w.good; });
  }
  // Whether a good source is there to stay, and free.
  bool is_ready() const {
    return std::any_of(writes_.begin(), writes_.end(), [&](const Write& w) { return is_open(w); });
  }

  // What the read takes by default: of the good sources that are there to stay, and free, the last one; if all that are
  // there to stay are taken by other updates, the end of the last one's chain. False if there are none. `key`: orders
  // chains that nothing else does.
  template <typename Key>
  bool find_default(Key key, std::int32_t& source) const {
    Set open{};
    for (const Write& w : writes_)
      if (is_open(w)) open.set(w.chain);
    std::int32_t chain = last_of(open.any() ? open : good_, key);
    if (chain < 0) return false;
    source = last_[chain];
    if (!open.any()) return true;
    std::int32_t place = -1;
    for (const Write& w : writes_) {
      if (w.chain != chain || w.place <= place || !is_open(w)) continue;
      place = w.place;
      source = w.event;
    }
    return true;
  }

  // Whether a source can be what any other read takes, in a part that has this one, and more.
  bool may_be_tail(std::int32_t event) const {
    const Write& w = of(event);
    return last_[w.chain] == event && !is_followed(w.chain, present_);
  }

  // Whether a source that is not good can be the default in a part that has this one, and more.
  bool may_be_default(std::int32_t event) const {
    const Write& w = of(event);
    if (last_[w.chain] != event) return false;
    if (!good_.any()) return may_be_tail(event);
    if (!takes_ || is_followed(w.chain, good_)) return false;
    return std::any_of(writes_.begin(), writes_.end(), [&](const Write& o) { return o.chain == w.chain && o.good; });
  }

 private:
  struct Write {
    std::int32_t event, chain, place;
    bool good, takes, safe;
  };

  void begin(bool is_said, bool is_initial_safe) {
    writes_.clear();
    present_ = known_ = good_ = Set{};
    takes_ = true;
    is_said_ = is_said;
    add_write(kInitial, 0, 0, is_initial_safe);
  }

  void touch(std::int32_t chain) {
    if (present_.test(chain)) return;
    present_.set(chain);
    before_[chain] = Set{};
    tail_[chain] = last_[chain] = -1;
  }

  const Write& of(std::int32_t event) const {
    return *std::find_if(writes_.begin(), writes_.end(), [&](const Write& w) { return w.event == event; });
  }

  bool is_safe(const Write& w) const {
    if (is_said_) return w.safe;
    if (known_.test(w.chain) && w.place < least_[w.chain]) return false;
    Set others = known_;
    others.reset(w.chain);
    if (w.chain == 0) return !others.any();
    others.reset(0);  // the initial value comes before every write
    return before_[w.chain].contains(others);
  }
  bool is_open(const Write& w) const { return w.good && (!w.takes || tail_[w.chain] == w.place) && is_safe(w); }

  // Whether one of some chains is directly after this one.
  bool is_followed(std::int32_t chain, const Set& among) const {
    bool followed = false;
    among.each([&](std::int32_t c) { followed |= c != chain && (chain == 0 || before_[c].test(chain)); });
    return followed;
  }

  // Of some chains, the first that none of them follows; -1 if there are none.
  template <typename Key>
  std::int32_t last_of(const Set& among, Key key) const {
    std::int32_t chain = -1;
    among.each([&](std::int32_t c) {
      if (!is_followed(c, among) && (chain < 0 || key(c) < key(chain))) chain = c;
    });
    return chain;
  }

  std::vector<Write> writes_;
  Set present_, known_;
  Set good_;           // chains with a good source that is safe
  bool takes_ = true;  // the read also writes, whichever of these it takes
  bool is_said_ = false;
  std::array<Set, 64 * kWords> before_;
  std::array<std::int32_t, 64 * kWords> tail_, last_, least_;  // chain -> its last place, its last write; see know()
};

}  // namespace porf::explore
