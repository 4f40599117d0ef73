// The relations of a model file that no modification order matters to, on a graph that grows: of a new event only its
// own column is computed, what leads to it. Initial writes are no events here: nothing leads to them, so they are on no
// cycle.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "explore/bits.hpp"
#include "explore/evaluation.hpp"
#include "explore/frame.hpp"
#include "explore/graph.hpp"
#include "explore/linear.hpp"

namespace porf::explore {

// What an event is to a model file: a node, or two if it is an update and the file sees a read and a write.
struct SavedNode {
  std::int32_t event = -1, thread = -1, loc = -1;
  std::int32_t source = -1;  // node; -1: the initial value, or it does not read
  std::uint8_t op = kRead, order = kNa;
  bool update = false;

  bool reads() const { return op == kRead || op == kUpdate; }
  bool writes() const { return op == kWrite || op == kUpdate; }
};

template <int kWords>
class SavedColumns {
 public:
  using Set = Bits<kWords>;
  using Depends = std::array<Set, 3>;  // the nodes that a node depends on, by kind

  SavedColumns(const Linear& form, bool two_events) : form_(form), two_events_(two_events) {}

  void clear(std::int32_t threads) {
    nodes_.clear();
    of_thread_.assign(static_cast<std::size_t>(threads), Set{});
    members_.assign(form_.columns().size(), Set{});
    leads_to_.assign(form_.columns().size(), Set{});
    for (Set& places : of_loc_) places = Set{};
  }

  std::int32_t size() const { return static_cast<std::int32_t>(nodes_.size()); }
  const SavedNode& operator[](std::int32_t n) const { return nodes_[n]; }
  const Set& of_loc(std::int32_t loc) const { return of_loc_[loc]; }
  const Set& of_thread(std::int32_t thread) const { return of_thread_[thread]; }
  const Set& column(std::int32_t slot, std::int32_t n) const { return columns_[at(slot, n)]; }
  const Set& po(std::int32_t n) const { return po_[n]; }
  // The nodes whose column is not empty.
  const Set& leads_to(std::int32_t slot) const { return leads_to_[slot]; }

  // Adds a node that comes after others in program order. What is not in the code of its class is empty.
  std::int32_t add(const SavedNode& node, const Set& before, const Depends& depends) {
    const std::int32_t n = size();
    if (n >= 64 * kWords) throw Grow{Grow::kWrites};
    nodes_.push_back(node);
    if (static_cast<std::size_t>(n) >= po_.size()) {
      po_.resize(static_cast<std::size_t>(n) * 2 + 16);
      columns_.resize(po_.size() * form_.columns().size());
    }
    if (form_.uses_dependencies()) {
      if (depends_.size() < po_.size()) depends_.resize(po_.size());
      depends_[n] = depends;
    }
    po_[n] = before;
    of_thread_[node.thread].set(n);
    if (node.loc >= 0) {
      if (static_cast<std::size_t>(node.loc) >= of_loc_.size()) of_loc_.resize(static_cast<std::size_t>(node.loc) + 1);
      of_loc_[node.loc].set(n);
    }
    std::fill_n(columns_.begin() + static_cast<std::ptrdiff_t>(at(0, n)), form_.columns().size(), Set{});
    const ColumnCode& code = code_of(node);
    for (std::int32_t s : code.sets) members_[s].set(n);
    for (std::int32_t s : code.steps) {
      Set& c = columns_[at(s, n)];
      compute(form_.columns()[s], n, c);
      if (c.any()) leads_to_[s].set(n);
    }
    return n;
  }

  void remove() {
    const std::int32_t n = size() - 1;
    const SavedNode& node = nodes_.back();
    const ColumnCode& code = code_of(node);
    for (std::int32_t s : code.sets) members_[s].reset(n);
    for (std::int32_t s : code.steps) leads_to_[s].reset(n);
    of_thread_[node.thread].reset(n);
    if (node.loc >= 0) of_loc_[node.loc].reset(n);
    nodes_.pop_back();
  }

 private:
  std::size_t at(std::int32_t slot, std::int32_t n) const {
    return static_cast<std::size_t>(n) * form_.columns().size() + static_cast<std::size_t>(slot);
  }

  const ColumnCode& code_of(const SavedNode& node) const { return form_.code({node.op, node.order, node.update}); }

  void base(std::int32_t which, std::int32_t n, Set& out) const {
    const SavedNode& node = nodes_[n];
    switch (which) {
      case relations::kId:
        out.set(n);
        break;
      case relations::kPo:
        out = po_[n];
        break;
      case relations::kRf:
        if (node.source >= 0) out.set(node.source);
        break;
      case relations::kLoc:
        if (node.loc >= 0) out = of_loc_[node.loc];
        break;
      case relations::kInt:
        out = of_thread_[node.thread];
        break;
      case relations::kExt:
        out = Set::below(n + 1);
        out.remove(of_thread_[node.thread]);
        break;
      case relations::kAddr:
        out = depends_[n][kAddress];
        break;
      case relations::kData:
        out = depends_[n][kData];
        break;
      case relations::kCtrl:
        out = depends_[n][kControl];
        break;
      case relations::kRmw:
      case relations::kAmo:
        if (node.update && node.op != kRead) out.set(two_events_ ? n - 1 : n);
        break;
      default:
        break;
    }
  }

  void compute(const ColumnStep& step, std::int32_t n, Set& c) const {
    switch (step.op) {
      case relations::kBaseRel:
        base(step.a, n, c);
        break;
      case relations::kUniverse:
        c = Set::below(n + 1);
        break;
      case relations::kUnion:
        c = column(step.a, n);
        c.add(column(step.b, n));
        break;
      case relations::kIntersection:
        c = column(step.a, n) & column(step.b, n);
        break;
      case relations::kDifference:
        c = column(step.a, n);
        c.remove(column(step.b, n));
        break;
      case relations::kComplement:
        c = Set::below(n + 1);
        c.remove(column(step.a, n));
        break;
      case relations::kCompose:
        compose(step, n, c);
        break;
      case relations::kPlus:
      case relations::kStar:
        c = column(step.a, n);
        close(step, n, c);
        if (step.op == relations::kStar) c.set(n);
        break;
      case relations::kOptional:
        c = column(step.a, n);
        c.set(n);
        break;
      case relations::kIdentity:
        c.set(n);
        break;
      case relations::kProduct:
        c = members_[step.a];
        break;
      default:
        break;
    }
  }

  void compose(const ColumnStep& step, std::int32_t n, Set& c) const {
    const ColumnStep &left = form_.columns()[step.a], &right = form_.columns()[step.b];
    if (!step.filter) {
      (column(step.b, n) & leads_to_[step.a]).each([&](std::int32_t k) { c.add(column(step.a, k)); });
      if (column(step.b, n).test(n)) c.add(column(step.a, n));
    } else if (right.op == relations::kIdentity) {
      c = column(step.a, n);
    } else {
      c = column(step.b, n) & members_[left.a];
    }
  }

  // The paths to what leads to n. What a later event has before it need not be looked at again.
  void close(const ColumnStep& step, std::int32_t n, Set& c) const {
    const std::int32_t own = static_cast<std::int32_t>(&step - form_.columns().data());
    Set rest = c;
    rest.reset(n);
    while (rest.any()) {
      const std::int32_t k = rest.last();
      const Set& before = column(own, k);
      rest.reset(k);
      rest.remove(before);
      c.add(before);
    }
  }

  const Linear& form_;
  bool two_events_;
  std::vector<SavedNode> nodes_;
  std::vector<Set> po_, columns_;  // columns: node, slot
  std::vector<Depends> depends_;   // node
  std::vector<Set> members_;       // slot of a set
  std::vector<Set> leads_to_;      // slot of a relation
  std::vector<Set> of_thread_, of_loc_;
};

}  // namespace porf::explore
