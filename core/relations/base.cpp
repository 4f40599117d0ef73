// Base relations from columns; see base.hpp.
#include "relations/base.hpp"

#include <algorithm>

namespace porf::relations {

void Events::assign(const Execution& execution, bool two_events, std::span<const Pair> across) {
  execution_ = execution;
  across_ = across;
  two_events_ = two_events;
  read_of_.clear();
  write_of_.clear();
  reference_.clear();
  op_.clear();
  order_.clear();
  const std::int32_t n = execution.size();
  auto add = [&](std::int32_t reference, std::uint8_t op, std::uint8_t order) {
    reference_.push_back(reference);
    op_.push_back(op);
    order_.push_back(order);
    return static_cast<std::int32_t>(reference_.size()) - 1;
  };
  for (std::int32_t e = 0; e < n; ++e) {
    if (two_events && execution.op[e] == kUpdate) {
      read_of_.push_back(add(e, kRead, half_order(execution.order[e], false)));
      write_of_.push_back(add(e, kWrite, half_order(execution.order[e], true)));
    } else {
      read_of_.push_back(add(e, execution.op[e], execution.order[e]));
      write_of_.push_back(read_of_.back());
    }
  }
  for (std::int32_t x = 0; x < execution.locations; ++x) add(~x, kWrite, kNa);
  tag_nodes();
  shape_ = Shape(reference_.size());
}

void Events::tag_nodes() {
  tags_.clear();
  const Tags& tags = execution_.tags;
  if (tags.bits.empty()) return;
  tags_.resize(reference_.size(), 0);
  for (std::int32_t e = 0; e < rows(); ++e) {
    if (read_of_[e] == write_of_[e]) {
      tags_[read_of_[e]] = tags.bits[e];
    } else {
      tags_[read_of_[e]] = tags.bits[e] & tags.of_reads;
      tags_[write_of_[e]] = tags.bits[e] & tags.of_writes;
    }
  }
}

std::int32_t Events::write_node(std::int32_t reference) const {
  if (reference < 0) return ~reference < execution_.locations ? initial(~reference) : -1;
  return reference < rows() && execution_.writes(reference) ? write_of_[reference] : -1;
}

std::int32_t Events::location(std::int32_t node) const {
  const std::int32_t ref = reference_[node];
  return ref < 0 ? ~ref : execution_.loc[ref];
}

void Events::relation(std::int32_t base, Word* out) const {
  std::fill_n(out, shape_.size(), Word{0});
  switch (base) {
    case kId:
      return add_identity(shape_, out);
    case kPo:
      return program_order(out);
    case kRf:
      return reads_from(out);
    case kLoc:
      return same_location(out);
    case kInt:
      return same_thread(out);
    case kExt:
      same_thread(out);
      for (std::int32_t i = 0; i < nodes(); ++i) {
        for (std::size_t w = 0; w < shape_.words; ++w) row(out, i)[w] = ~row(out, i)[w];
        if (shape_.events % 64 != 0) row(out, i)[shape_.words - 1] &= (Word{1} << (shape_.events % 64)) - 1;
      }
      return;
    case kRmw:
      exclusives(out);
      return updates(out);
    case kAmo:
      return updates(out);
    case kLxsx:
      return exclusives(out);
    case kAddr:
      return dependency(execution_.dependencies[porf::kAddress], true, out);
    case kData:
      return dependency(execution_.dependencies[porf::kData], !two_events_, out);
    case kCtrl:
      return dependency(execution_.dependencies[porf::kControl], true, out);
    default:
      return;
  }
}

void Events::program_order(Word* out) const {
  const std::int32_t events = nodes() - locations();
  // For each thread the nodes that come after the current one.
  std::vector<Word> behind(static_cast<std::size_t>(execution_.threads) * shape_.words, 0);
  std::vector<Word> everything(shape_.words, 0);
  for (std::int32_t i = events; i-- > 0;) {
    Word* after = behind.data() + execution_.thread[reference_[i]] * shape_.words;
    std::copy_n(after, shape_.words, row(out, i));
    relations::set(after, i);
    relations::set(everything.data(), i);
  }
  for (std::int32_t x = 0; x < locations(); ++x) std::copy(everything.begin(), everything.end(), row(out, initial(x)));
  if (across_.empty()) return;
  for (const Pair& pair : across_) relations::set(row(out, write_of_[pair.before]), read_of_[pair.after]);
  close_transitively(shape_, out, [] {});
}

void Events::reads_from(Word* out) const {
  for (std::int32_t e = 0; e < rows(); ++e) {
    if (!execution_.reads(e) || execution_.rf[e] < kInitial) continue;
    const std::int32_t rf = execution_.rf[e];
    relations::set(row(out, rf == kInitial ? initial(execution_.loc[e]) : write_of_[rf]), read_of_[e]);
  }
}

void Events::same_location(Word* out) const {
  std::vector<Word> of(static_cast<std::size_t>(locations()) * shape_.words, 0);
  for (std::int32_t i = 0; i < nodes(); ++i) {
    if (location(i) >= 0) relations::set(of.data() + location(i) * shape_.words, i);
  }
  for (std::int32_t i = 0; i < nodes(); ++i) {
    if (location(i) >= 0) std::copy_n(of.data() + location(i) * shape_.words, shape_.words, row(out, i));
  }
}

void Events::same_thread(Word* out) const {
  std::vector<Word> of(static_cast<std::size_t>(execution_.threads) * shape_.words, 0);
  const std::int32_t events = nodes() - locations();
  for (std::int32_t i = 0; i < events; ++i) {
    relations::set(of.data() + execution_.thread[reference_[i]] * shape_.words, i);
  }
  for (std::int32_t i = 0; i < events; ++i) {
    std::copy_n(of.data() + execution_.thread[reference_[i]] * shape_.words, shape_.words, row(out, i));
  }
  for (std::int32_t i = events; i < nodes(); ++i) relations::set(row(out, i), i);
}

void Events::updates(Word* out) const {
  for (std::int32_t e = 0; e < rows(); ++e) {
    if (execution_.op[e] == kUpdate) relations::set(row(out, read_of_[e]), write_of_[e]);
  }
}

void Events::exclusives(Word* out) const {
  const Dependency& pairs = execution_.dependencies[porf::kExclusive];
  for (std::size_t i = 0; i < pairs.from.size(); ++i)
    relations::set(row(out, read_of_[pairs.from[i]]), write_of_[pairs.to[i]]);
}

// A data dependency into an update feeds the value it writes, the others feed both halves.
void Events::dependency(const Dependency& pairs, bool to_reads, Word* out) const {
  for (std::size_t i = 0; i < pairs.from.size(); ++i) {
    Word* from = row(out, read_of_[pairs.from[i]]);
    relations::set(from, write_of_[pairs.to[i]]);
    if (to_reads) relations::set(from, read_of_[pairs.to[i]]);
  }
}

bool Events::in_order(std::int32_t node, std::int32_t order, bool at_least) const {
  if (reference_[node] < 0) return false;  // an initial write has no order
  return at_least ? order_at_least(order_[node], order) : order_[node] == order;
}

void Events::set(std::int32_t base, Word* out) const {
  std::fill_n(out, shape_.words, Word{0});
  for (std::int32_t i = 0; i < nodes(); ++i) {
    const std::int32_t ref = reference_[i];
    bool in = false;
    if (base >= kTagged) {
      in = !tags_.empty() && (tags_[i] >> (base - kTagged) & 1) != 0;
    } else if (base >= kAtLeast) {
      in = in_order(i, base - kAtLeast, true);
    } else if (base >= kExactly) {
      in = in_order(i, base - kExactly, false);
    } else {
      switch (base) {
        case kAll:
          in = true;
          break;
        case kReads:
          in = reads(i);
          break;
        case kWrites:
          in = writes(i);
          break;
        case kFences:
          in = op_[i] == kFence;
          break;
        case kUpdates:
          in = ref >= 0 && execution_.op[ref] == kUpdate;
          break;
        case kInitialWrites:
          in = ref < 0;
          break;
        default:
          break;
      }
    }
    if (in) relations::set(out, i);
  }
}

void Events::initial_order(Word* out) const {
  std::fill_n(out, shape_.size(), Word{0});
  for (std::int32_t i = 0; i < nodes() - locations(); ++i) {
    if (writes(i)) relations::set(row(out, initial(location(i))), i);
  }
}

}  // namespace porf::relations
