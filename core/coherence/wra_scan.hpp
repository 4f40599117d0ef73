// WRA as a stream (Algorithm 1 of Tunç et al. 2023): no modification order, only writes sandwiched in happens-before.
#pragma once

#include <cstdint>
#include <span>

#include "coherence/access_log.hpp"
#include "coherence/happens_before.hpp"
#include "coherence/scan.hpp"
#include "execution.hpp"
#include "memory.hpp"

namespace porf::coherence {

class WraScan {
 public:
  WraScan(std::int32_t threads, std::int32_t locations, std::int32_t events)
      : hb_(threads, events),
        log_(threads, locations, events, true),
        updated_(events, 0),
        initial_updated_(locations, 0) {}

  void grow(std::int32_t threads, std::int32_t locations, std::int32_t events) {
    hb_.grow(threads, events);
    log_.grow(locations, events);
    updated_.resize(events, 0);
    if (locations > static_cast<std::int32_t>(initial_updated_.size())) initial_updated_.resize(locations, 0);
  }

  Breach step(const Execution& x, std::span<const std::int32_t> index, std::int32_t e) {
    if (x.reads(e)) {
      if (x.op[e] == kUpdate && updated(x.rf[e], x.loc[e])) return Breach::kAtomicity;
      overwriter_ = overwriter(x, index, x.thread[e], x.loc[e], x.rf[e]);
      if (overwriter_ != kNone) return Breach::kOverwritten;
      if (x.op[e] == kUpdate) (x.rf[e] < 0 ? initial_updated_[x.loc[e]] : updated_[x.rf[e]]) = 1;
    }
    hb_.after(x, index, e);
    if (x.writes(e)) log_.append(x.thread[e], x.loc[e], e, index[e]);
    return Breach::kFine;
  }

  // A write of loc that thread t has seen, and that had itself seen w: one that t reads over w. Only what t
  // saw before it reads w counts, for what comes with w precedes w.
  std::int32_t overwriter(const Execution& x, std::span<const std::int32_t> index, std::int32_t t, std::int32_t loc,
                          std::int32_t w) const {
    const std::int32_t* clock = hb_.clock(t);
    std::int32_t found = kNone;
    log_.each(loc, [&](const AccessLog::Slot& slot) {
      std::int32_t limit = clock[slot.thread];
      std::int32_t other = slot.index <= limit ? slot.newest : log_.newest_within(slot, limit, index);
      if (other == kNone || other == w) return true;
      if (w >= 0 && hb_.seen_by(x, index, other, x.thread[w]) < index[w]) return true;
      found = other;
      return false;
    });
    return found;
  }

  bool updated(std::int32_t w, std::int32_t loc) const { return w < 0 ? initial_updated_[loc] : updated_[w]; }
  std::int32_t witness_access() const { return overwriter_; }
  std::uint64_t bytes() const { return hb_.bytes(); }

 private:
  HappensBefore<Sync::kAll> hb_;
  AccessLog log_;  // of writes only
  Large<std::uint8_t> updated_, initial_updated_;
  std::int32_t overwriter_ = kNone;
};

}  // namespace porf::coherence
