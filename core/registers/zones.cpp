// Chains of updates and what reads them, as intervals of time; see docs/design/kernels.md.
#include "registers/zones.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "allowance.hpp"

namespace porf::registers {
namespace {

using Time = std::int64_t;
constexpr Time kAlways = std::numeric_limits<Time>::min(), kNever = std::numeric_limits<Time>::max();

// A plain or initial write with the updates that follow it one by one, and all that read them. No other write of the
// location comes between these.
struct Zone {
  std::int32_t head;                               // its first write
  Time ends = kNever, begins = kAlways;            // the first end of its operations, and their last start
  std::int32_t ends_first = -1, begins_last = -1;  // and whose they are

  Time low() const { return std::min(ends, begins); }
  Time high() const { return std::max(ends, begins); }
  // Something of it had ended before something of it began: in between its value is the one that is there.
  bool forward() const { return ends < begins; }
};

class Checker {
 public:
  Checker(const Execution& x, const Times& times, Zones& found)
      : x_(x),
        times_(times),
        n_(x.size()),
        found_(found),
        start_(static_cast<std::size_t>(n_ + x.locations) + 1, 0),
        next_(n_ + x.locations, -1) {
    for (std::int32_t e = 0; e < n_; ++e)
      if (x.reads(e)) ++start_[writer(e) + 1];
    for (std::size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
    reader_.resize(start_.back());
    Ints fill(start_.begin(), start_.end() - 1);
    for (std::int32_t e = 0; e < n_; ++e)
      if (x.reads(e)) reader_[fill[writer(e)]++] = e;
  }

  bool run() {
    Toil toil;
    std::size_t updates = 0;
    Large<std::int64_t> heads(static_cast<std::size_t>(x_.locations) + 1, 0);
    for (std::int32_t e = 0; e < n_; ++e) {
      updates += x_.op[e] == kUpdate ? 1 : 0;
      if (x_.op[e] == kWrite) ++heads[x_.loc[e] + 1];
    }
    for (std::int32_t loc = 0; loc < x_.locations; ++loc) heads[loc + 1] += heads[loc];
    Ints head(static_cast<std::size_t>(heads.back()));
    Large<std::int64_t> fill(heads.begin(), heads.end() - 1);
    for (std::int32_t e = 0; e < n_; ++e)
      if (x_.op[e] == kWrite) head[fill[x_.loc[e]]++] = e;
    found_.mo_start.push_back(0);
    for (std::int32_t loc = 0; loc < x_.locations; ++loc) {
      zones_.clear();
      if (!add_zone(n_ + loc)) return false;
      for (std::int64_t i = heads[loc]; i < heads[loc + 1]; ++i) {
        toil.demand(8);
        if (!add_zone(head[i])) return false;
      }
      if (!apart()) return false;
      list();
    }
    if (updates_met_ == updates) return true;
    // What no chain leads to: updates that read each other in a circle.
    Large<std::uint8_t> met(n_, 0);
    for (const std::int32_t e : found_.mo) met[e] = 1;
    for (std::int32_t e = 0; e < n_; ++e)
      if (x_.op[e] == kUpdate && met[e] == 0) return fail({e});
    return false;
  }

 private:
  std::int32_t writer(std::int32_t e) const { return x_.rf[e] >= 0 ? x_.rf[e] : n_ + x_.loc[e]; }
  Time began(std::int32_t e) const { return times_.begins(e) ? times_.start[e] : kAlways; }
  Time ended(std::int32_t e) const { return times_.ends(e) ? times_.end[e] : kNever; }

  bool fail(std::initializer_list<std::int32_t> rows) {
    for (const std::int32_t e : rows)
      if (e >= 0) found_.part.push_back(e);
    return false;
  }

  // Takes in an operation of a zone. What comes before it there, of which `latest` began last, must not have begun
  // after its end.
  bool take(Zone& zone, std::int32_t e, std::int32_t latest) {
    if (latest >= 0 && ended(e) < began(latest)) return fail({latest, e});
    if (zone.begins_last < 0 || began(e) > zone.begins) {
      zone.begins = began(e);
      zone.begins_last = e;
    }
    if (zone.ends != kAlways && (zone.ends_first < 0 || ended(e) < zone.ends)) {
      zone.ends = ended(e);
      zone.ends_first = e;
    }
    return true;
  }

  bool add_zone(std::int32_t head) {
    Zone zone{head};
    if (head >= n_)
      zone.ends = kAlways;  // the initial write
    else if (!take(zone, head, -1))
      return false;
    for (std::int32_t w = head; w >= 0; w = next_[w]) {
      std::int32_t update = -1;
      const std::int32_t latest = zone.begins_last;  // all that read w come after this, in any order
      for (std::int32_t i = start_[w]; i < start_[w + 1]; ++i) {
        const std::int32_t e = reader_[i];
        if (x_.op[e] == kRead) {
          if (!take(zone, e, latest)) return false;
        } else if (update >= 0) {
          return fail({update, e});
        } else {
          update = e;
        }
      }
      next_[w] = update;
      if (update < 0) continue;
      ++updates_met_;
      if (!take(zone, update, zone.begins_last)) return false;
    }
    zones_.push_back(zone);
    return true;
  }

  // Whether each two zones can come one after the other. If not, something of each had ended before something of the
  // other began: two forward zones overlap, or one lies around another that is none.
  bool apart() {
    std::sort(zones_.begin(), zones_.end(), [](const Zone& a, const Zone& b) {
      return a.low() != b.low() ? a.low() < b.low() : a.high() < b.high();
    });
    const Zone* around = nullptr;  // the forward zone that began last
    for (const Zone& zone : zones_) {
      if (around != nullptr && zone.ends < around->begins && around->ends < zone.begins)
        return fail({around->ends_first, zone.begins_last, zone.ends_first, around->begins_last});
      if (zone.forward()) around = &zone;
    }
    return true;
  }

  void list() {
    for (const Zone& zone : zones_)
      for (std::int32_t w = zone.head; w >= 0; w = next_[w])
        if (w < n_) found_.mo.push_back(w);
    found_.mo_start.push_back(static_cast<std::int64_t>(found_.mo.size()));
  }

  const Execution& x_;
  const Times& times_;
  std::int32_t n_;
  Zones& found_;
  Ints start_, reader_;  // per write, initial ones after the rows: who reads it
  Ints next_;            // per write: the update that reads it, or -1
  Large<Zone> zones_;    // of the location at hand
  std::size_t updates_met_ = 0;
};

}  // namespace

Zones check_zones(const Execution& x, const Times& times, Budget& budget) {
  Zones found;
  if (!budget.spend(x.size()) || !budget.hold(40 * static_cast<std::uint64_t>(x.size()))) {
    found.answer = Answer::kUndecided;
    return found;
  }
  if (Checker(x, times, found).run()) return found;
  found.answer = Answer::kInconsistent;
  found.mo.clear();
  found.mo_start.clear();
  return found;
}

}  // namespace porf::registers
