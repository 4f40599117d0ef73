// One monitor a way of deciding: chains kept in order (Relaxed, RC20, RA), all events kept in order (SRA),
// sandwiches (WRA).
#include "coherence/monitor.hpp"

#include <algorithm>
#include <unordered_set>

#include "coherence/incremental_order.hpp"
#include "coherence/wra_scan.hpp"

namespace porf::coherence {
namespace {

template <Sync S>
class CoherenceMonitor : public Monitor {
 protected:
  void grow(std::int32_t threads, std::int32_t locations, std::int32_t events) override {
    scan_.grow(threads, locations, events);
    order_.grow(events);
  }

  Breach step(const Execution& x, std::int32_t e) override {
    bool acyclic = true;
    Breach breach = scan_.step(x, index_, e, [&](std::int32_t from, std::int32_t to, std::int32_t, std::int32_t) {
      acyclic = acyclic && order_.add(node_of(from), node_of(to));
    });
    if (breach != Breach::kFine) return breach;
    return acyclic ? Breach::kFine : Breach::kCycle;
  }

  // w may be read unless its chain precedes, or it itself precedes within its chain, a value the thread has seen.
  void filter(const Execution& x, std::int32_t thread, std::int32_t loc, bool update, const Ints& candidates,
              Ints& allowed) override {
    const Chains& chains = scan_.chains();
    std::vector<Value> seen;
    scan_.predecessors(x, index_, thread, loc, kNone, [&](const Value& value) {
      seen.push_back(value);
      return true;
    });
    Ints nodes;
    for (const Value& v : seen)
      if (v.chain >= 0) nodes.push_back(node_of(v.chain));
    std::unordered_set<std::int32_t> older;
    order_.ancestors(nodes, [&](std::int32_t node) { older.insert(node); });
    for (std::int32_t w : candidates) {
      if (update && scan_.updated(w, loc)) continue;
      std::int32_t chain = chains.chain_of(w, loc);
      bool stale = chain >= 0 ? older.contains(node_of(chain)) : !nodes.empty();
      for (const Value& v : seen) stale |= v.chain == chain && v.position > chains.position_of(w);
      if (!stale) allowed.push_back(w);
    }
  }

  // The order's node of a chain is its top write; the chain of a write being scanned is not yet known to have one.
  std::int32_t node_of(std::int32_t chain) const {
    const Ints& top = scan_.chains().top;
    return chain < static_cast<std::int32_t>(top.size()) ? top[chain] : size() - 1;
  }

  Scan<S> scan_{0, 0, 0};
  IncrementalOrder order_;  // of chains
};

// Without updates every chain is one write; the order then holds all events, with happens-before and the forced edges.
class SraMonitor final : public CoherenceMonitor<Sync::kAll> {
  Breach step(const Execution& x, std::int32_t e) override {
    std::int32_t t = x.thread[e];
    if (t >= static_cast<std::int32_t>(last_.size())) last_.resize(t + 1, kNone);
    if (last_[t] != kNone) order_.add(last_[t], e);
    last_[t] = e;
    if (x.reads(e) && x.rf[e] >= 0) order_.add(x.rf[e], e);
    Breach breach = CoherenceMonitor<Sync::kAll>::step(x, e);
    return breach == Breach::kCycle ? Breach::kStrongCycle : breach;
  }

  Ints last_;  // per thread
};

class WraMonitor final : public Monitor {
  void grow(std::int32_t threads, std::int32_t locations, std::int32_t events) override {
    scan_.grow(threads, locations, events);
  }
  Breach step(const Execution& x, std::int32_t e) override { return scan_.step(x, index_, e); }
  void filter(const Execution& x, std::int32_t thread, std::int32_t loc, bool update, const Ints& candidates,
              Ints& allowed) override {
    for (std::int32_t w : candidates) {
      if (update && scan_.updated(w, loc)) continue;
      if (scan_.overwriter(x, index_, thread, loc, w) == kNone) allowed.push_back(w);
    }
  }
  WraScan scan_{0, 0, 0};
};

}  // namespace

std::unique_ptr<Monitor> Monitor::make(Monitored model) {
  switch (model) {
    case Monitored::kRelaxed:
      return std::make_unique<CoherenceMonitor<Sync::kPoOnly>>();
    case Monitored::kRc20:
      return std::make_unique<CoherenceMonitor<Sync::kOrders>>();
    case Monitored::kRa:
      return std::make_unique<CoherenceMonitor<Sync::kAll>>();
    case Monitored::kWra:
      return std::make_unique<WraMonitor>();
    case Monitored::kSra:
      break;
  }
  return std::make_unique<SraMonitor>();
}

Execution Monitor::view() const {
  return {thread_,
          op_,
          loc_,
          order_,
          rf_,
          static_cast<std::int32_t>(length_.size()),
          static_cast<std::int32_t>(written_.size())};
}

void Monitor::make_room(std::int32_t thread, std::int32_t loc) {
  bool more = thread >= static_cast<std::int32_t>(length_.size()) ||
              loc >= static_cast<std::int32_t>(written_.size()) || size() >= room_;
  if (!more) return;
  if (thread >= static_cast<std::int32_t>(length_.size())) length_.resize(thread + 1, 0);
  if (loc >= static_cast<std::int32_t>(written_.size())) written_.resize(loc + 1);
  if (size() >= room_) room_ = std::max(64, 2 * room_);
  grow(static_cast<std::int32_t>(length_.size()), static_cast<std::int32_t>(written_.size()), room_);
}

Breach Monitor::feed(std::int32_t thread, std::uint8_t op, std::int32_t loc, std::uint8_t order, std::int32_t rf) {
  if (breach_ != Breach::kFine) return breach_;
  make_room(thread, loc);
  std::int32_t e = size();
  thread_.push_back(thread);
  op_.push_back(op);
  loc_.push_back(loc);
  order_.push_back(order);
  rf_.push_back(rf);
  index_.push_back(++length_[thread]);
  // Events come after what they read, so only an update that reads itself closes a cycle of po and rf.
  breach_ = (op == kRead || op == kUpdate) && rf >= e ? Breach::kPoRf : step(view(), e);
  if (op == kWrite || op == kUpdate) written_[loc].push_back(e);
  return breach_;
}

Ints Monitor::may_read(std::int32_t thread, std::int32_t loc, bool update) {
  Ints allowed;
  if (breach_ != Breach::kFine) return allowed;
  make_room(thread, loc);
  Ints candidates{kInitial};
  candidates.insert(candidates.end(), written_[loc].begin(), written_[loc].end());
  filter(view(), thread, loc, update, candidates, allowed);
  return allowed;
}

}  // namespace porf::coherence
