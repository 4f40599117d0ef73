// One graph under a compiled model file, event by event: what each adds to the orders that are kept closed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "budget.hpp"
#include "explore/closed_orders.hpp"
#include "explore/graph.hpp"
#include "explore/linear.hpp"
#include "explore/paths_taken.hpp"
#include "explore/saved_columns.hpp"

namespace porf::explore {

template <int kWords>
class Constrained : public ClosedOrders<kWords> {
  using Base = ClosedOrders<kWords>;

 public:
  using typename Base::Place;
  using typename Base::Set;

  Constrained(const Linear& form, bool two_events, Budget& budget)
      : Base(form, two_events, budget), two_events_(two_events) {}

  void clear(std::int32_t threads) {
    nodes_.clear(threads);
    trail_.clear();
    contested_.clear();
    writes_ = Set{};
    began_ = 0;
    for (std::int32_t loc : used_) places_[loc] = Place{};
    used_.clear();
  }

  // Event e comes last; it may be no part of the graph yet. False if nothing explains it; it is inserted nevertheless.
  bool insert(const Graph& g, std::int32_t e, const Event& v) {
    if (static_cast<std::size_t>(e) >= spans_.size()) spans_.resize(static_cast<std::size_t>(e) * 2 + 8);
    Span& span = spans_[e];
    span = {-1, -1, trail_.size()};
    if (is_hidden(v)) return true;
    if (v.loc >= 0) fit(v.loc);
    const Set before = program_order(g, e, v);
    SavedNode node{
        e, v.thread, v.loc, -1, std::min<std::uint8_t>(v.op, kFence), order_of(v.op, v.order), v.op == kUpdate};
    if (v.reads() && v.rf >= 0) node.source = spans_[v.rf].write;
    depend(g, e, v);
    const Set data = depends_[kData];
    if (node.update && form_->updates_differ()) {
      SavedNode alone = node;
      alone.op = kRead;
      alone.order = order_of(kRead, v.order);
      alone.update = false;
      depends_[kData] = Set{};
      const std::int32_t n = nodes_.add(alone, before, depends_);
      depends_[kData] = data;
      grow(n);
      as_read_[n] = others(look(n), chain_of(node.source));
      nodes_.remove();
    }
    good_ = true;
    const std::int32_t source = node.source;
    const bool halves = two_events_ && node.update;
    if (halves) {
      node.op = kRead;
      node.order = relations::half_order(v.order, false);
      depends_[kData] = Set{};
    }
    span.read = add(node, before, source);
    if (halves) {
      node.op = kWrite;
      node.order = relations::half_order(v.order, true);
      node.source = -1;
      depends_[kData] = data;
      Set further = before;
      further.set(span.read);
      add(node, further, source);
    }
    span.write = nodes_.size() - 1;
    for (std::int32_t n = span.read; good_ && n <= span.write; ++n) good_ = constrain(n);
    return (good_ && saturate()) || give_up();
  }

  // Takes back the event that was inserted last.
  void remove(std::int32_t e) {
    undo(spans_[e].mark);
    if (spans_[e].read < 0) return;
    for (std::int32_t n = spans_[e].write; n >= spans_[e].read; --n) drop(n);
  }

  struct Span {
    std::int32_t read = -1, write = -1;  // nodes of an event; the same if it is one
    std::size_t mark = 0;
  };
  const Span& span(std::int32_t e) const { return spans_[e]; }
  // The writes of other chains that saved relations alone put before an access: before its own write, or before what it
  // reads. Of an update, also as if it only read.
  const Set& seen(std::int32_t n) const { return others_[n]; }
  const Set& seen_as_read(std::int32_t n) const { return form_->updates_differ() ? as_read_[n] : others_[n]; }

 private:
  using Base::at, Base::in, Base::fit, Base::grow, Base::masked, Base::close, Base::order, Base::step, Base::saturate,
      Base::give_up, Base::undo;
  using Base::form_, Base::nodes_, Base::direct_, Base::terms_, Base::places_, Base::used_, Base::contested_,
      Base::writes_, Base::began_, Base::trail_, Base::queue_;
  using Base::kNoSource, Base::kLast;
  using Base::seen_, Base::others_, Base::as_read_, Base::earlier_, Base::later_, Base::readers_, Base::heir_,
      Base::root_, Base::source_, Base::rank_, Base::before_, Base::base_, Base::gained_, Base::begins_, Base::ends_,
      Base::through_;

  Set program_order(const Graph& g, std::int32_t e, const Event& v) const {
    Set before;
    auto follow = [&](std::int32_t earlier) {
      earlier = shown(g, earlier);
      if (earlier < 0) return;
      const std::int32_t n = spans_[earlier].write;
      before.add(nodes_.po(n));
      before.set(n);
    };
    const std::int32_t prev = e >= g.size() ? g.last[v.thread] : g[e].prev;
    follow(prev >= 0 ? prev : g.begun_by[v.thread]);
    g.each_awaited(v, follow);
    return before;
  }

  void depend(const Graph& g, std::int32_t e, const Event& v) {
    if (!form_->uses_dependencies()) return;
    depends_ = {};
    each_dependency(g, v, e, [&](DependencyKind kind, std::int32_t read) {
      depends_[static_cast<std::size_t>(kind)].set(spans_[read].read);
    });
  }

  // What saved relations force at once: writes before the node's own, or before what it reads.
  Set look(std::int32_t n) {
    const SavedNode& v = nodes_[n];
    const bool access = v.loc >= 0;
    const Set none{};
    const Set& writes = access ? places_[v.loc].writes : none;
    Set out;
    auto take = [&](Set paths, const OrderStep& by) {
      paths = paths & writes;
      paths.reset(n);
      if (by.mo && v.writes()) out.add(masked(paths, by.mo_mask, n));
      if (!by.fr || !v.reads()) return;
      if (v.source >= 0) paths.reset(v.source);
      out.add(masked(paths, by.fr_mask, n));
    };
    if (access)
      for (const ForcedBy& forced : form_->forced())
        if ((forced.step.mo && v.writes()) || (forced.step.fr && v.reads()))
          take(paths_.at_place(nodes_, forced.back, n), forced.step);
    for (std::size_t k = 0; k < form_->orders().size(); ++k) {
      const Set edges = paths_.all(nodes_, form_->orders()[k].paths, n);
      Set& base = base_[in(k, n)];
      base = close(base_, k, edges);
      Set& before = before_[in(k, n)];
      before = close(before_, k, edges);
      for (const OrderAxiom::Term& term : form_->orders()[k].terms)
        if (term.direct && access) take(base, term.step);
    }
    return out;
  }

  std::int32_t chain_of(std::int32_t source) const { return source < 0 ? -1 : root_[source]; }

  Set others(Set writes, std::int32_t chain) const {
    const Set all = writes;
    all.each([&](std::int32_t w) {
      if (root_[w] == chain) writes.reset(w);
    });
    return writes;
  }

  std::int32_t add(const SavedNode& v, const Set& po, std::int32_t source) {
    const std::int32_t n = nodes_.add(v, po, depends_);
    grow(n);
    seen_[n] = look(n);
    for (std::size_t k = 0; k < form_->orders().size(); ++k) gained_[in(k, n)] = Set{};
    source_[n] = v.update && v.writes() ? source : kNoSource;
    if (v.loc >= 0) {
      Place& x = places_[v.loc];
      if (!x.writes.any() && !x.of_initial.any()) used_.push_back(v.loc);
      if (v.reads()) (v.source >= 0 ? readers_[v.source] : x.of_initial).set(n);
      if (v.writes()) begin_write(v, x, n);
    }
    others_[n] = others(seen_[n], v.writes() ? root_[n] : chain_of(v.source));
    std::size_t t = 0;
    for (std::size_t k = 0; k < form_->orders().size(); ++k)
      for (const OrderAxiom::Term& term : form_->orders()[k].terms)
        if (!term.direct) pass(k, term, t++, n);
    return n;
  }

  void begin_write(const SavedNode& v, Place& x, std::int32_t n) {
    writes_.set(n);
    x.writes.set(n);
    earlier_[n] = later_[n] = readers_[n] = Set{};
    heir_[n] = -1;
    rank_[n] = kLast + n;
    const bool chained = form_->atomic() && v.update;
    root_[n] = !chained ? n : source_[n] < 0 ? -1 : root_[source_[n]];
    if (root_[n] == n && ++x.chains == 2) contested_.push_back(v.loc);
    if (!chained) return;
    std::int32_t& heir = source_[n] < 0 ? x.heir : heir_[source_[n]];
    if (heir >= 0)
      good_ = false;  // and it stays the one who came first
    else
      heir = n;
  }

  void drop(std::int32_t n) {
    const SavedNode& v = nodes_[n];
    for (std::size_t t = 0; t < terms_; ++t) {
      began_ -= begins_[at(n, t)].any();
      through_[at(n, t)].each([&](std::int32_t w) { ends_[at(w, t)].reset(n); });
    }
    if (v.loc >= 0) {
      Place& x = places_[v.loc];
      if (v.reads()) (v.source >= 0 ? readers_[v.source] : x.of_initial).reset(n);
      if (v.writes()) {
        writes_.reset(n);
        x.writes.reset(n);
        if (root_[n] == n && --x.chains == 1) contested_.pop_back();
        if (form_->atomic() && v.update) {
          std::int32_t& heir = source_[n] < 0 ? x.heir : heir_[source_[n]];
          if (heir == n) heir = -1;
        }
      }
      if (!x.writes.any() && !x.of_initial.any() && used_.back() == v.loc) used_.pop_back();
    }
    nodes_.remove();
  }

  // The edges of a term at a new node: it may begin some, and it ends those of what is in order already.
  void pass(std::size_t k, const OrderAxiom::Term& term, std::size_t t, std::int32_t n) {
    begins_[at(n, t)] = paths_.begins(nodes_, form_->orders()[k].paths, term, n);
    began_ += begins_[at(n, t)].any();
    ends_[at(n, t)] = Set{};
    Set& through = through_[at(n, t)];
    through = paths_.all(nodes_, term.rest, n) & writes_;
    Set first;
    through.each([&](std::int32_t w) {
      ends_[at(w, t)].set(n);
      if (began_ == 0) return;
      Set before = earlier_[w];
      if (term.step.mo)
        masked(before, term.step.mo_mask, w).each([&](std::int32_t a) { first.add(begins_[at(a, t)]); });
      if (!term.step.fr) return;
      Set reads = places_[nodes_[w].loc].of_initial;
      before.each([&](std::int32_t a) { reads.add(readers_[a]); });
      reads.reset(w);
      masked(reads, term.step.fr_mask, w).each([&](std::int32_t r) { first.add(begins_[at(r, t)]); });
    });
    Set& before = before_[in(k, n)];
    first.remove(before);
    if (!first.any()) return;
    before.add(close(before_, k, first));
    if (before.test(n)) good_ = false;
  }

  bool constrain(std::int32_t n) {
    const SavedNode& v = nodes_[n];
    if (direct_)
      for (std::size_t k = 0; k < form_->orders().size(); ++k) {
        gained_[in(k, n)] = before_[in(k, n)];
        queue_[k].set(n);
      }
    if (v.loc < 0) return true;
    const Place& x = places_[v.loc];
    const Set seen = seen_[n];
    if (v.reads()) {
      const Set later = v.source >= 0 ? later_[v.source] : x.writes;
      Set self;
      self.set(n);
      bool good = true;
      later.each([&](std::int32_t w) { good = good && (w == n || step(Set{}, self, w)); });
      if (!good) return false;
      if (!v.writes() && v.source < 0 && seen.any()) return false;
    }
    if (v.writes()) {
      Set reads = x.of_initial;
      reads.reset(n);
      if (reads.any() && !step(Set{}, reads, n)) return false;
      if (form_->atomic() && x.heir >= 0 && x.heir != n && !order(x.heir, n)) return false;
      if (v.update && !take_over(n, x)) return false;
    }
    const std::int32_t after = v.writes() ? n : v.source;
    bool good = true;
    seen.each([&](std::int32_t w) { good = good && (w == after || order(w, after)); });
    return good;
  }

  // An update comes right after its source.
  bool take_over(std::int32_t n, const Place& x) {
    const std::int32_t source = source_[n];
    if (source >= 0 && !order(source, n)) return false;
    if (!form_->atomic()) return true;
    Set later = source >= 0 ? later_[source] : x.writes;
    later.reset(n);
    bool good = true;
    later.each([&](std::int32_t w) { good = good && order(n, w); });
    return good;
  }

  bool two_events_, good_ = true;
  typename SavedColumns<kWords>::Depends depends_ = {};  // of the newest event
  PathsTaken<kWords> paths_;
  std::vector<Span> spans_;  // event
};

}  // namespace porf::explore
