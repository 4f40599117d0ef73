// Just-in-time linearization (Lowe 2017): whenever an operation ends, it must have taken effect, perhaps after others
// that run at the same time. All ways to that are kept, each as what the register holds and who has taken effect early.
#include "registers/search.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace porf::registers {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

// One way to explain what has ended so far. A write that runs may also be hidden: put right before a later plain write,
// where nobody sees it. That is decided when it ends, so it is not among those that were used.
struct Way {
  std::int32_t state = 0;
  std::int64_t overwritten = -1;   // the last event at which a plain write took effect
  std::int32_t overwriter = -1;    // that write
  std::int32_t trail = -1;         // the last of its steps
  std::vector<std::int32_t> used;  // who has taken effect and still runs, ascending
};

struct Step {
  std::int32_t operation, hidden_by, before;
};

class Searcher {
 public:
  Searcher(const Operations& o, Budget& budget, Search& found) : o_(o), budget_(budget), found_(found) {}

  void run() {
    const auto n = static_cast<std::int32_t>(o_.kind.size());
    struct Event {
      std::int64_t time;
      bool ends;
      std::int32_t operation;
    };
    std::vector<Event> events;
    for (std::int32_t i = 0; i < n; ++i) {
      events.push_back({o_.start[i], false, i});
      if (o_.end[i] != kNever) events.push_back({o_.end[i], true, i});
    }
    // At the same time operations begin before others end: they overlap.
    std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
      return a.time != b.time ? a.time < b.time : a.ends < b.ends;
    });
    began_.resize(n);
    ways_.push_back({o_.initial, -1, -1, -1, {}});
    for (now_ = 0; now_ < static_cast<std::int64_t>(events.size()); ++now_) {
      const Event& event = events[static_cast<std::size_t>(now_)];
      if (event.ends)
        end(event.operation);
      else
        begin(event.operation);
      if (budget_.spent()) {
        found_.answer = Answer::kUndecided;
        return;
      }
      if (ways_.empty()) {
        found_.answer = Answer::kInconsistent;
        found_.last = event.operation;
        return;
      }
    }
    tell(ways_.front());
  }

 private:
  bool changes(std::int32_t i) const { return o_.kind[i] == 1 || o_.kind[i] == 2; }
  Kind kind(std::int32_t i) const { return static_cast<Kind>(o_.kind[i]); }

  bool finds(std::int32_t i, std::int32_t state) const {
    const std::int32_t wanted = o_.found[i];
    const bool equal = wanted >= 0 ? wanted == state : o_.value[state] == ~wanted;
    return kind(i) == Kind::kWrite || (kind(i) == Kind::kUnlike ? !equal : equal);
  }

  static bool has(const Way& way, std::int32_t i) { return std::binary_search(way.used.begin(), way.used.end(), i); }

  void use(Way& way, std::int32_t i) {
    way.used.insert(std::upper_bound(way.used.begin(), way.used.end(), i), i);
    step(way, i, -1);
  }

  void step(Way& way, std::int32_t i, std::int32_t hidden_by) {
    steps_.push_back({i, hidden_by, way.trail});
    way.trail = static_cast<std::int32_t>(steps_.size()) - 1;
  }

  void begin(std::int32_t i) {
    began_[i] = now_;
    if (!changes(i) && o_.end[i] == kNever) return;  // it says nothing
    running_.push_back(i);
    if (changes(i)) return;
    for (Way& way : ways_)
      if (finds(i, way.state)) use(way, i);
  }

  // An operation that takes effect, and then all reads that find what it leaves: they change nothing, so there is no
  // reason to wait. Whether there were any.
  bool take_effect(Way& way, std::int32_t i) {
    use(way, i);
    if (!changes(i)) return false;
    way.state = o_.left[i];
    if (kind(i) == Kind::kWrite) {
      way.overwritten = now_;
      way.overwriter = i;
    }
    bool any = false;
    for (const std::int32_t r : running_) {
      if (changes(r) || !finds(r, way.state) || has(way, r)) continue;
      use(way, r);
      any = true;
    }
    return any;
  }

  void end(std::int32_t i) {
    std::vector<Way> next;
    index_.clear();
    for (Way& way : ways_) {
      if (has(way, i)) {
        leave(std::move(way), i, next);
        continue;
      }
      if (kind(i) == Kind::kWrite && way.overwritten > began_[i]) {
        Way hidden = way;
        step(hidden, i, way.overwriter);
        add(std::move(hidden), next);
      }
      reach(std::move(way), i, next);
      if (!budget_.hold((next.size() + seen_.size()) * kBytes + steps_.size() * sizeof(Step))) return;
    }
    std::erase(running_, i);
    ways_ = std::move(next);
    drop_worse();
  }

  void leave(Way way, std::int32_t i, std::vector<Way>& next) {
    std::erase(way.used, i);
    add(std::move(way), next);
  }

  // All ways in which operations that run take effect until this one has.
  void reach(Way from, std::int32_t goal, std::vector<Way>& next) {
    struct Open {
      Way way;
      bool idle;  // its last step was a plain write that nobody has read: another one would only hide it
    };
    std::vector<Open> stack;
    stack.push_back({std::move(from), false});
    seen_.clear();
    while (!stack.empty()) {
      const Open open = std::move(stack.back());
      stack.pop_back();
      ++found_.states;
      if (!budget_.spend(1 + running_.size())) return;
      for (const std::int32_t i : running_) {
        if ((i != goal && !changes(i)) || has(open.way, i) || !finds(i, open.way.state)) continue;
        if (i != goal && twin_before(open.way, i)) continue;
        if (open.idle && kind(i) == Kind::kWrite) continue;
        Way way = open.way;
        const bool read = take_effect(way, i);
        if (has(way, goal)) {
          leave(std::move(way), goal, next);
          continue;
        }
        const bool idle = kind(i) == Kind::kWrite && !read;
        if (visit(way, idle)) stack.push_back({std::move(way), idle});
      }
    }
  }

  // Of operations without an end that do the same, the first comes first.
  bool twin_before(const Way& way, std::int32_t i) const {
    if (o_.end[i] != kNever) return false;
    for (const std::int32_t j : running_) {
      if (j == i) return false;
      if (o_.end[j] == kNever && o_.kind[j] == o_.kind[i] && o_.found[j] == o_.found[i] && o_.left[j] == o_.left[i] &&
          !has(way, j))
        return true;
    }
    return false;
  }

  static std::uint64_t key(const Way& way) {
    std::uint64_t hash = 1469598103934665603ULL ^ static_cast<std::uint32_t>(way.state);
    for (const std::int32_t i : way.used) hash = (hash ^ static_cast<std::uint32_t>(i)) * 1099511628211ULL;
    return hash;
  }

  bool visit(const Way& way, bool idle) {
    const std::int32_t state = 2 * way.state + (idle ? 1 : 0);
    auto [first, last] = seen_.equal_range(key(way));
    for (; first != last; ++first)
      if (first->second.first == state && first->second.second == way.used) return false;
    seen_.emplace(key(way), std::pair(state, way.used));
    return true;
  }

  // Of two ways with the same state and the same used, the one that was overwritten later hides more.
  void add(Way way, std::vector<Way>& next) {
    auto [first, last] = index_.equal_range(key(way));
    for (; first != last; ++first) {
      Way& other = next[first->second];
      if (other.state != way.state || other.used != way.used) continue;
      if (other.overwritten < way.overwritten) other = std::move(way);
      return;
    }
    index_.emplace(key(way), next.size());
    next.push_back(std::move(way));
  }

  // A way that has used more of the operations without an end, and is otherwise the same, is of no use.
  void drop_worse() {
    if (ways_.size() < 2 || ways_.size() > kMostCompared) return;
    std::vector<char> worse(ways_.size(), 0);
    for (std::size_t a = 0; a < ways_.size(); ++a)
      for (std::size_t b = 0; b < ways_.size() && worse[a] == 0; ++b)
        if (a != b && worse[b] == 0 && better(ways_[b], ways_[a])) worse[a] = 1;
    std::size_t kept = 0;
    for (std::size_t a = 0; a < ways_.size(); ++a)
      if (worse[a] == 0) {
        if (kept != a) ways_[kept] = std::move(ways_[a]);
        ++kept;
      }
    ways_.resize(kept);
  }

  bool better(const Way& a, const Way& b) const {
    if (a.state != b.state || a.overwritten < b.overwritten || a.used.size() > b.used.size()) return false;
    std::size_t at = 0;
    for (const std::int32_t i : b.used) {
      if (at < a.used.size() && a.used[at] == i)
        ++at;
      else if (o_.end[i] != kNever)
        return false;
    }
    return at == a.used.size();
  }

  void tell(const Way& way) {
    std::vector<Step> steps;
    for (std::int32_t at = way.trail; at >= 0; at = steps_[at].before) steps.push_back(steps_[at]);
    std::unordered_map<std::int32_t, std::vector<std::int32_t>> hidden;
    for (const Step& step : steps)
      if (step.hidden_by >= 0) hidden[step.hidden_by].push_back(step.operation);
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      if (step->hidden_by >= 0) continue;
      if (const auto here = hidden.find(step->operation); here != hidden.end())
        found_.order.insert(found_.order.end(), here->second.begin(), here->second.end());
      found_.order.push_back(step->operation);
    }
  }

  static constexpr std::size_t kMostCompared = 2000;
  static constexpr std::size_t kBytes = 200;  // of a way, and to find it

  const Operations& o_;
  Budget& budget_;
  Search& found_;
  std::int64_t now_ = 0;
  std::vector<std::int64_t> began_;  // the event
  std::vector<std::int32_t> running_;
  std::vector<Way> ways_;
  Large<Step> steps_;
  std::unordered_multimap<std::uint64_t, std::size_t> index_;
  std::unordered_multimap<std::uint64_t, std::pair<std::int32_t, std::vector<std::int32_t>>> seen_;
};

}  // namespace

Search search_register(const Operations& operations, Budget& budget) {
  Search found;
  Searcher(operations, budget, found).run();
  return found;
}

}  // namespace porf::registers
