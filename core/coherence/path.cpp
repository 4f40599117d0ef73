// Shows how one event happens before another: a backward breadth-first search over po and rf, in the shape of sw.
#include <deque>

#include "coherence/check.hpp"

namespace porf::coherence {
namespace {

// Where a backward walk stands: at an end of happens-before, or inside a synchronises-with edge
// [⊒REL]; ([F]; po)?; rf+; (po; [F])?; [⊒ACQ].
enum Stage : std::uint8_t { kEnd = 0, kReadBeforeFence = 1, kInChain = 2, kStages = 3 };

class PathSearch {
 public:
  PathSearch(const Execution& x, Sync sync) : x_(x), sync_(sync), start_(x.threads + 1, 0), place_(x.size()) {
    for (std::int32_t t : x.thread) ++start_[t + 1];
    for (std::int32_t t = 0; t < x.threads; ++t) start_[t + 1] += start_[t];
    rows_.resize(x.size());
    Ints fill(start_.begin(), start_.end() - 1);
    for (std::int32_t e = 0; e < x.size(); ++e) {
      place_[e] = fill[x.thread[e]]++;
      rows_[place_[e]] = e;
    }
    for (auto& covered : covered_) covered = Ints(start_.begin(), start_.end() - 1);
    visits_.resize(static_cast<std::size_t>(x.size()) * kStages, {-2, 0});
  }

  Path find(std::int32_t from, std::int32_t to) {
    reach(to, kEnd, -1, 0, false);
    while (!queue_.empty()) {
      auto [e, stage] = queue_.front();
      queue_.pop_front();
      if (e == from && stage == kEnd && e != to) return unwind(from);
      expand(e, stage);
    }
    return {};
  }

 private:
  struct Visit {
    std::int32_t parent;  // index into visits_ of the node walked back from; -1 at the start, -2 unseen
    std::uint8_t step;    // 0 po, 1 rf, 2 none: the same event seen differently
  };
  std::size_t node(std::int32_t e, Stage stage) const { return static_cast<std::size_t>(e) * kStages + stage; }

  void reach(std::int32_t e, Stage stage, std::int32_t parent, std::uint8_t step, bool front) {
    Visit& visit = visits_[node(e, stage)];
    if (visit.parent != -2) return;
    visit = {parent, step};
    if (front)
      queue_.push_front({e, stage});
    else
      queue_.push_back({e, stage});
  }

  bool acquiring(std::int32_t e) const {
    return sync_ == Sync::kAll || (sync_ == Sync::kOrders && acquires(x_.order[e]));
  }
  bool releasing(std::int32_t e) const {
    return sync_ == Sync::kAll || (sync_ == Sync::kOrders && releases(x_.order[e]));
  }

  void expand(std::int32_t e, Stage stage) {
    auto here = static_cast<std::int32_t>(node(e, stage));
    switch (stage) {
      case kEnd:
        cover(0, e, here, kEnd, [](std::int32_t) { return true; });
        if (x_.reads(e) && x_.rf[e] >= 0 && acquiring(e)) reach(x_.rf[e], kInChain, here, 1, false);
        if (x_.op[e] == kFence && sync_ == Sync::kOrders && acquires(x_.order[e]))
          cover(1, e, here, kReadBeforeFence, [&](std::int32_t f) { return x_.reads(f) && x_.rf[f] >= 0; });
        break;
      case kReadBeforeFence:
        reach(x_.rf[e], kInChain, here, 1, false);
        break;
      default:
        if (releasing(e)) reach(e, kEnd, here, 2, true);
        if (x_.op[e] == kUpdate && x_.rf[e] >= 0) reach(x_.rf[e], kInChain, here, 1, false);
        if (sync_ == Sync::kOrders)
          cover(2, e, here, kEnd, [&](std::int32_t f) { return x_.op[f] == kFence && releases(x_.order[f]); });
    }
  }

  // One po step back to every earlier event of the thread that fits; each is offered once per kind of step.
  template <typename Fits>
  void cover(int kind, std::int32_t e, std::int32_t here, Stage stage, Fits&& fits) {
    std::int32_t& covered = covered_[kind][x_.thread[e]];
    for (; covered < place_[e]; ++covered)
      if (fits(rows_[covered])) reach(rows_[covered], stage, here, 0, false);
  }

  Path unwind(std::int32_t from) const {
    Path path;
    path.rows.push_back(from);
    auto at = static_cast<std::int32_t>(node(from, kEnd));
    while (visits_[at].parent != -1) {
      const Visit& visit = visits_[at];
      at = visit.parent;
      if (visit.step == 2) continue;
      path.steps.push_back(visit.step);
      path.rows.push_back(at / kStages);
    }
    return path;
  }

  const Execution& x_;
  Sync sync_;
  Ints start_, place_, rows_;
  Ints covered_[3];
  std::vector<Visit> visits_;
  std::deque<std::pair<std::int32_t, Stage>> queue_;
};

}  // namespace

Path happens_before_path(const Execution& x, Sync sync, std::int32_t from, std::int32_t to) {
  return PathSearch(x, sync).find(from, to);
}

}  // namespace porf::coherence
