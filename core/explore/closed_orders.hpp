// What a graph forces on the modification order under a compiled model file, and for each acyclicity axiom the order of
// events that follows: kept transitively closed, as bits, with a trail. A cycle shows that no modification order will
// do; what is left open is searched for.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "budget.hpp"
#include "explore/bits.hpp"
#include "explore/linear.hpp"
#include "explore/saved_columns.hpp"
#include "relations/engine.hpp"

namespace porf::explore {

template <int kWords>
class ClosedOrders {
 public:
  using Set = Bits<kWords>;

  struct Place {
    Set writes{};
    Set of_initial{};         // reads of the initial value
    std::int32_t heir = -1;   // the update that took it
    std::int32_t chains = 0;  // beside that of the initial value
  };

  ClosedOrders(const Linear& form, bool two_events, Budget& budget)
      : form_(&form), budget_(&budget), nodes_(form, two_events) {
    for (const OrderAxiom& axiom : form.orders())
      for (const OrderAxiom::Term& term : axiom.terms) {
        direct_ |= term.direct;
        terms_ += !term.direct;
      }
    queue_.resize(form.orders().size());
  }

  // Whether there is a modification order that keeps to what is forced.
  bool possible() {
    return form_->orders().empty() || search(false, [] { return true; });
  }

  // Visits every modification order.
  template <typename Visit>
  void each_order(const Visit& visit) {
    search(true, [&] { return visit(), false; });
  }

  const SavedNode& node(std::int32_t n) const { return nodes_[n]; }
  const Place& place(std::int32_t loc) {
    fit(loc);
    return places_[loc];
  }
  const Set& earlier(std::int32_t n) const { return earlier_[n]; }
  std::int32_t heir(std::int32_t n) const { return heir_[n]; }  // the update that took a write, or -1
  std::int32_t root(std::int32_t n) const { return root_[n]; }  // the first write of its chain; -1: the initial one
  bool direct() const { return direct_; }
  // The events to which an order of events can lead through a write.
  template <typename Visit>
  bool any_end(std::int32_t n, const Visit& visit) const {
    bool found = false;
    for (std::size_t t = 0; t < terms_; ++t) ends_[at(n, t)].each([&](std::int32_t x) { found = found || visit(x); });
    return found;
  }

 protected:
  enum Row : std::uint8_t { kEarlier, kLater, kBefore };
  struct Change {
    Row row;
    std::size_t index;
    Set old;
  };

  std::size_t at(std::int32_t n, std::size_t t) const { return static_cast<std::size_t>(n) * terms_ + t; }
  std::size_t in(std::size_t k, std::int32_t n) const {
    return static_cast<std::size_t>(n) * form_->orders().size() + k;
  }

  void fit(std::int32_t loc) {
    if (static_cast<std::size_t>(loc) >= places_.size()) places_.resize(static_cast<std::size_t>(loc) + 1);
  }

  void grow(std::int32_t n) {
    if (static_cast<std::size_t>(n) < seen_.size()) return;
    const std::size_t size = static_cast<std::size_t>(n) * 2 + 16;
    for (auto* rows : {&seen_, &others_, &as_read_, &earlier_, &later_, &readers_}) rows->resize(size);
    for (auto* line : {&heir_, &root_, &source_, &rank_}) line->resize(size);
    for (auto* rows : {&before_, &base_, &gained_}) rows->resize(size * form_->orders().size());
    for (auto* rows : {&begins_, &ends_, &through_}) rows->resize(size * terms_);
  }

  // Pairs with b that a mask leaves.
  Set masked(Set from, std::int32_t mask, std::int32_t b) const {
    if (mask < 0 || mask == relations::kLoc) return from;
    const Set& own = nodes_.of_thread(nodes_[b].thread);
    if (mask == relations::kInt) return from & own;
    from.remove(own);
    return from;
  }

  // Some events and all that is before them.
  Set close(const std::vector<Set>& rows, std::size_t k, Set rest) const {
    Set out = rest;
    while (rest.any()) {
      const std::int32_t y = rest.last();
      const Set& row = rows[in(k, y)];
      rest.reset(y);
      rest.remove(row);
      out.add(row);
    }
    return out;
  }

  // Write a comes before write b, and so does all before a before all after b.
  bool order(std::int32_t a, std::int32_t b) {
    if (later_[a].test(b)) return true;
    if (a == b || later_[b].test(a)) return false;
    Set firsts = earlier_[a], lasts = later_[b];
    firsts.set(a);
    lasts.set(b);
    firsts.each([&](std::int32_t x) {
      Set news = lasts;
      news.remove(later_[x]);
      if (!news.any()) return;
      trail_.push_back({kLater, static_cast<std::size_t>(x), later_[x]});
      later_[x].add(news);
      news.each([&](std::int32_t y) { pairs_.push_back({x, y}); });
    });
    lasts.each([&](std::int32_t y) {
      if (earlier_[y].contains(firsts)) return;
      trail_.push_back({kEarlier, static_cast<std::size_t>(y), earlier_[y]});
      earlier_[y].add(firsts);
    });
    return true;
  }

  bool saturate() {
    while (true) {
      if (!pairs_.empty()) {
        auto [a, b] = pairs_.back();
        pairs_.pop_back();
        if (!follow(a, b)) return false;
        continue;
      }
      bool done = true;
      for (std::size_t k = 0; k < queue_.size() && done; ++k) {
        if (!queue_[k].any()) continue;
        done = false;
        const std::int32_t n = queue_[k].first();
        queue_[k].reset(n);
        if (!conclude(k, n)) return false;
      }
      if (done) return true;
    }
  }

  // Write b is known to come after write a.
  bool follow(std::int32_t a, std::int32_t b) {
    if (form_->atomic()) {
      if (source_[b] != kNoSource && source_[b] != a && (source_[b] < 0 || !order(a, source_[b]))) return false;
      if (heir_[a] >= 0 && heir_[a] != b && !order(heir_[a], b)) return false;
    }
    if (form_->orders().empty()) return true;
    Set writes, reads = readers_[a];
    writes.set(a);
    reads.reset(b);
    return step(writes, reads, b);
  }

  // Steps by the order lead from some writes and reads to a write.
  bool step(const Set& writes, const Set& reads, std::int32_t to) {
    if (!direct_ && began_ == 0) return true;
    std::size_t t = 0;
    for (std::size_t k = 0; k < form_->orders().size(); ++k)
      for (const OrderAxiom::Term& term : form_->orders()[k].terms) {
        Set from;
        if (term.step.mo) from.add(masked(writes, term.step.mo_mask, to));
        if (term.step.fr) from.add(masked(reads, term.step.fr_mask, to));
        if (term.direct) {
          if (from.any() && !link(k, from, to)) return false;
          continue;
        }
        Set first;
        from.each([&](std::int32_t x) { first.add(begins_[at(x, t)]); });
        bool good = true;
        if (first.any()) ends_[at(to, t)].each([&](std::int32_t x) { good = good && link(k, first, x); });
        if (!good) return false;
        ++t;
      }
    return true;
  }

  // In an order of events, these come before n.
  bool link(std::size_t k, Set first, std::int32_t n) {
    first.remove(before_[in(k, n)]);
    if (!first.any()) return true;
    const Set added = close(before_, k, first);
    if (added.test(n)) return false;
    for (std::int32_t s = 0; s < nodes_.size(); ++s) {
      Set& before = before_[in(k, s)];
      if ((s != n && !before.test(n)) || before.contains(added)) continue;
      trail_.push_back({kBefore, in(k, s), before});
      if (direct_) {
        Set gained = added;
        gained.remove(before);
        gained_[in(k, s)].add(gained);
        queue_[k].set(s);
      }
      before.add(added);
    }
    return true;
  }

  // What has come before n in an order of events: writes that it may not come before by a step are before it in the
  // modification order.
  bool conclude(std::size_t k, std::int32_t n) {
    const Set gained = gained_[in(k, n)];
    gained_[in(k, n)] = Set{};
    const SavedNode& v = nodes_[n];
    if (v.loc < 0) return true;
    Set writes = gained & places_[v.loc].writes;
    writes.reset(n);
    if (!writes.any()) return true;
    bool good = true;
    for (const OrderAxiom::Term& term : form_->orders()[k].terms) {
      if (!term.direct) continue;
      if (term.step.mo && v.writes())
        masked(writes, term.step.mo_mask, n).each([&](std::int32_t w) { good = good && order(w, n); });
      if (!term.step.fr || !v.reads()) continue;
      Set earlier = masked(writes, term.step.fr_mask, n);
      if (v.source >= 0) earlier.reset(v.source);
      if (earlier.any() && v.source < 0) return false;
      earlier.each([&](std::int32_t w) { good = good && order(w, v.source); });
    }
    return good;
  }

  bool give_up() {
    pairs_.clear();
    for (std::size_t k = 0; k < queue_.size(); ++k) {
      queue_[k].each([&](std::int32_t n) { gained_[in(k, n)] = Set{}; });
      queue_[k] = Set{};
    }
    return false;
  }

  void undo(std::size_t mark) {
    while (trail_.size() > mark) {
      Change& last = trail_.back();
      (last.row == kEarlier ? earlier_ : last.row == kLater ? later_ : before_)[last.index] = last.old;
      trail_.pop_back();
    }
  }

  // The first writes of chains that something can follow from; of the others, none need be in order.
  Set chains(std::int32_t loc, bool all) const {
    Set out;
    places_[loc].writes.each([&](std::int32_t w) {
      if (root_[w] >= 0 && (all || direct_ || any_end(w, [](std::int32_t) { return true; }))) out.set(root_[w]);
    });
    return out;
  }

  // Puts chains in order, pair after pair, and then the other way round; `reached` says whether to end there.
  template <typename Reached>
  bool search(bool all, const Reached& reached, std::size_t from = 0) {
    for (; from < contested_.size(); ++from) {
      const Set set = chains(contested_[from], all);
      std::int32_t a = -1, b = -1;
      set.each([&](std::int32_t x) {
        if (a >= 0) return;
        Set rest = set;
        rest.remove(later_[x]);
        rest.remove(earlier_[x]);
        rest.reset(x);
        if (!rest.any()) return;
        a = x;
        b = rest.first();
      });
      if (a < 0) continue;
      if (!budget_->spend(1)) throw relations::Spent{};
      if (rank_[b] < rank_[a]) std::swap(a, b);
      for (int turn = 0; turn < 2; ++turn, std::swap(a, b)) {
        const std::size_t mark = trail_.size();
        const bool good = ((order(a, b) && saturate()) || give_up()) && search(all, reached, from);
        undo(mark);
        if (good) return true;
      }
      return false;
    }
    for (std::int32_t loc : contested_)
      places_[loc].writes.each([&](std::int32_t w) { rank_[w] = earlier_[w].count(); });
    return reached();
  }

  static constexpr std::int32_t kNoSource = -2, kLast = 1 << 20;

  const Linear* form_;
  bool direct_ = false;
  Budget* budget_;
  std::size_t terms_ = 0;  // that are not direct
  SavedColumns<kWords> nodes_;
  std::vector<Set> seen_, others_, as_read_;
  std::vector<Set> earlier_, later_, readers_;  // of a write: what is known
  std::vector<std::int32_t> heir_, root_, source_, rank_;
  std::vector<Set> before_, base_, gained_;  // node, order of events: what is before it; by saved relations alone; news
  std::vector<Set> begins_, ends_, through_;  // node, term: where its edges begin, where they end, and by which writes
  std::vector<Place> places_;
  std::vector<std::int32_t> used_, contested_;  // locations
  Set writes_{};
  std::int32_t began_ = 0;  // how often edges of terms begin
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs_;
  std::vector<Set> queue_;
  std::vector<Change> trail_;
};

}  // namespace porf::explore
