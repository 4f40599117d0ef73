// The relations and sets that an execution itself offers, built from its columns. Events here are *nodes*: the rows (an
// update is one node, or in the two-event view a read node and a write node), then one initial write a location.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "execution.hpp"
#include "relations/matrix.hpp"

namespace porf::relations {

// Bound as Python enums; porf/language/base.py says what models call them.
enum BaseRelation : std::int32_t {
  kId = 0,
  kPo,
  kRf,
  kMo,
  kFr,
  kLoc,
  kInt,
  kExt,
  kRmw,
  kAddr,
  kData,
  kCtrl,
  kAmo,
  kLxsx,
  kBaseRelations
};
enum BaseSet : std::int32_t {
  kAll = 0,
  kReads,
  kWrites,
  kFences,
  kUpdates,
  kInitialWrites,
  kExactly,                 // six sets, one an order
  kAtLeast = kExactly + 6,  // six sets, one an order
  kTagged = kAtLeast + 6,   // one a tag of the architecture
  kBaseSets = kTagged + kTags
};

struct Pair {
  std::int32_t before, after;
};

// In the two-event view the read half keeps what acquires and the write half what releases.
constexpr std::uint8_t half_order(std::uint8_t order, bool write) {
  if (order == kAcqRel) return write ? kRel : kAcq;
  if (order == (write ? kAcq : kRel)) return kRlx;
  return order;
}

constexpr bool order_at_least(std::uint8_t order, std::int32_t bound) {
  if (bound == kAcq) return acquires(order);
  if (bound == kRel) return releases(order);
  return order >= bound;
}

class Events {
 public:
  Events() = default;
  Events(const Execution& execution, bool two_events) { assign(execution, two_events, {}); }

  // The columns are borrowed and must outlive this object. `across`: pairs of rows of different threads that
  // are in program order, the earlier row first.
  void assign(const Execution& execution, bool two_events, std::span<const Pair> across);

  const Shape& shape() const { return shape_; }
  std::int32_t nodes() const { return static_cast<std::int32_t>(shape_.events); }
  std::int32_t rows() const { return execution_.size(); }
  std::int32_t locations() const { return execution_.locations; }
  std::int32_t reference(std::int32_t node) const { return reference_[node]; }
  // The nodes of a row: they differ for an update that is a read and a write.
  std::int32_t first_node(std::int32_t row) const { return read_of_[row]; }
  std::int32_t last_node(std::int32_t row) const { return write_of_[row]; }
  // The writing node of an event reference, or -1 where it does not write.
  std::int32_t write_node(std::int32_t reference) const;
  std::int32_t location(std::int32_t node) const;
  bool writes(std::int32_t node) const { return op_[node] == kWrite || op_[node] == kUpdate; }
  bool reads(std::int32_t node) const { return op_[node] == kRead || op_[node] == kUpdate; }

  // Everything but mo and fr, which depend on the modification order.
  void relation(std::int32_t base, Word* out) const;
  void set(std::int32_t base, Word* out) const;
  // Initial writes before all other writes of their location, and nothing else.
  void initial_order(Word* out) const;

 private:
  void program_order(Word* out) const;
  void reads_from(Word* out) const;
  void same_location(Word* out) const;
  void same_thread(Word* out) const;
  void tag_nodes();
  void updates(Word* out) const;
  void exclusives(Word* out) const;
  void dependency(const Dependency& pairs, bool to_reads, Word* out) const;
  bool in_order(std::int32_t node, std::int32_t order, bool at_least) const;
  Word* row(Word* out, std::int32_t node) const { return out + node * shape_.words; }
  std::int32_t initial(std::int32_t loc) const { return nodes() - execution_.locations + loc; }

  Execution execution_;
  std::span<const Pair> across_;
  std::vector<std::int32_t> read_of_, write_of_;  // a row's nodes
  std::vector<std::int32_t> reference_;           // a node's event reference
  std::vector<std::uint8_t> op_, order_;          // a node's
  std::vector<std::uint64_t> tags_;               // a node's; empty if no event has any
  Shape shape_{0};
  bool two_events_ = false;
};

}  // namespace porf::relations
