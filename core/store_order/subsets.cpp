// The table over all sets of writes, and the search that visits only the sets that can be reached.
#include "store_order/subsets.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <unordered_set>

#include "store_order/constraints.hpp"

namespace porf::store_order {
namespace {

using relations::set;
using relations::test;

// The union of a mask for each member of a set, in a few lookups: parts of the set have tables of their own.
class Unions {
 public:
  explicit Unions(const std::vector<Word>& masks) {
    for (std::size_t from = 0; from < masks.size(); from += kPart) {
      std::vector<Word> part(std::size_t{1} << kPart, 0);
      for (std::size_t set = 1; set < part.size(); ++set) {
        std::size_t first = from + static_cast<std::size_t>(std::countr_zero(set));
        part[set] = part[set & (set - 1)] | (first < masks.size() ? masks[first] : 0);
      }
      parts_.push_back(std::move(part));
    }
  }

  Word of(Word set) const {
    Word all = 0;
    for (const std::vector<Word>& part : parts_) {
      all |= part[set & ((Word{1} << kPart) - 1)];
      set >>= kPart;
    }
    return all;
  }

 private:
  static constexpr std::size_t kPart = 10;  // small enough for the tables to stay in the cache
  std::vector<std::vector<Word>> parts_;
};

// One bit a set, in the order of their numbers: a set comes after its subsets.
class Table {
 public:
  Table(const Constraints& constraints, Budget& budget)
      : writes_(constraints.size()),
        budget_(budget),
        blocks_(mask_of_each([&](std::int32_t w, std::int32_t other) { return test(constraints.before(other), w); })),
        keeps_(mask_of_each([&](std::int32_t w, std::int32_t other) { return test(constraints.readers(other), w); })),
        updates_(mask_of_each([&](std::int32_t w, std::int32_t other) { return constraints.updater(other) == w; })),
        location_(mask_of_each([&](std::int32_t w, std::int32_t other) {
          return constraints.location(w) == constraints.location(other);
        })),
        rivals_(mask_of_each([&](std::int32_t w, std::int32_t other) {
          return constraints.location(w) == constraints.location(other) && constraints.updater(w) != other;
        })),
        reached_((std::size_t{1} << writes_) / 64 + 1, 0) {}

  static std::uint64_t bytes_for(std::int32_t writes) { return (std::uint64_t{1} << writes) / 8 + 8; }

  void run(const Constraints& constraints, Result& result) {
    set(reached_.data(), 0);
    const std::size_t last = (std::size_t{1} << writes_) - 1;
    for (std::size_t word = 0; word <= last / 64; ++word) {
      if (reached_[word] == 0) continue;
      for (std::size_t bit = 0; bit < 64; ++bit) {
        if (!(reached_[word] >> bit & 1)) continue;
        std::size_t placed = word * 64 + bit;
        ++result.subsets;
        for (Word next = allowed(placed); next != 0; next &= next - 1)
          set(reached_.data(), placed | (next & (~next + 1)));
      }
      if (!budget_.spend(64)) return;
    }
    if (!test(reached_.data(), last)) {
      result.answer = Answer::kInconsistent;
      return;
    }
    result.answer = Answer::kConsistent;
    for (Word placed = last; placed != 0;) {
      std::int32_t w = last_of(placed);
      result.order.push_back(constraints.writes()[w]);
      placed &= ~(Word{1} << w);
    }
    std::reverse(result.order.begin(), result.order.end());
  }

 private:
  // The writes that may come next: what is before them has come, and nothing that they overwrite is still to be read.
  Word allowed(Word placed) const {
    Word absent = ((Word{1} << writes_) - 1) & ~placed;
    Word held = location_.of(keeps_.of(absent) & placed) | rivals_.of(updates_.of(absent) & placed);
    return absent & ~blocks_.of(absent) & ~held;
  }

  template <typename Test>
  std::vector<Word> mask_of_each(Test&& holds) const {
    std::vector<Word> masks(writes_, 0);
    for (std::int32_t w = 0; w < writes_; ++w)
      for (std::int32_t other = 0; other < writes_; ++other)
        if (holds(w, other)) masks[w] |= Word{1} << other;
    return masks;
  }

  std::int32_t last_of(Word placed) const {
    for (Word rest = placed;; rest &= rest - 1) {
      int w = std::countr_zero(rest);
      Word without = placed & ~(Word{1} << w);
      if (test(reached_.data(), without) && (allowed(without) >> w & 1)) return w;
    }
  }

  std::int32_t writes_;
  Budget& budget_;
  // Of a write that has not come: those that must come after it; those whose readers come after it; the one
  // it updates. Of a write that has come: its location, and that without its update.
  Unions blocks_, keeps_, updates_, location_, rivals_;
  Large<Word> reached_;
};

// Depth first over the sets that can be reached, each once. A write behind which all others of its location
// stand comes as soon as it can, without branching: coming early hinders nobody.
class Search {
 public:
  Search(const Constraints& constraints, std::int32_t locations, Budget& budget)
      : c_(constraints),
        budget_(budget),
        placed_(c_.words(), 0),
        cell_(locations, -1),
        left_(locations),
        missing_(c_.size(), 0),
        behind_(c_.size(), 0),
        after_(c_.size()) {
    for (std::int32_t loc = 0; loc < locations; ++loc) left_[loc] = c_.first(loc + 1) - c_.first(loc);
    list_predecessors();
    for (std::int32_t w = 0; w < c_.size(); ++w)
      if (missing_[w] == 0) ready_.push_back(w);
  }

  void run(Result& result) {
    place_safe();
    std::vector<Frame> stack;
    stack.push_back({0, choices()});
    while (!stack.empty()) {
      if (static_cast<std::int32_t>(trail_.size()) == c_.size()) {
        result.answer = Answer::kConsistent;
        for (std::int32_t w : trail_) result.order.push_back(c_.writes()[w]);
        break;
      }
      Frame& top = stack.back();
      if (top.next == top.choices.size()) {
        undo(top.mark);
        stack.pop_back();
        continue;
      }
      std::size_t mark = trail_.size();
      place(top.choices[top.next++]);
      place_safe();
      if (!budget_.spend(1 + c_.words() / 8) ||
          !budget_.hold(visited_.size() * (sizeof(std::string) + 64 + c_.words() * sizeof(Word))))
        break;
      if (visited_.emplace(reinterpret_cast<const char*>(placed_.data()), c_.words() * sizeof(Word)).second)
        stack.push_back({mark, choices()});
      else
        undo(mark);
    }
    result.subsets = visited_.size();
    if (stack.empty()) result.answer = Answer::kInconsistent;
  }

 private:
  struct Frame {
    std::size_t mark;
    Ints choices;
    std::size_t next = 0;
  };

  // Only the nearest of those that must come before a write are counted: they wait for the others.
  void list_predecessors() {
    Ints count(c_.size(), 0), order;
    for (std::int32_t w = 0; w < c_.size(); ++w) {
      for (std::size_t i = 0; i < c_.words(); ++i) count[w] += std::popcount(c_.before(w)[i]);
      std::int32_t loc = c_.location(w);
      for (std::int32_t v = c_.first(loc); v < c_.first(loc + 1); ++v) behind_[w] += test(c_.before(v), w);
    }
    std::vector<Word> covered(c_.words());
    for (std::int32_t w = 0; w < c_.size(); ++w) {
      order.clear();
      relations::for_each_bit(c_.before(w), c_.words(),
                              [&](std::size_t v) { order.push_back(static_cast<std::int32_t>(v)); });
      std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return count[a] > count[b]; });
      std::fill(covered.begin(), covered.end(), Word{0});
      for (std::int32_t v : order) {
        if (test(covered.data(), v)) continue;
        relations::or_row(covered.data(), c_.before(v), c_.words());
        after_[v].push_back(w);
        ++missing_[w];
      }
      if (!budget_.spend(1 + order.size() / 64)) return;
    }
  }

  bool come(const Word* needed) const {
    for (std::size_t i = 0; i < c_.words(); ++i)
      if ((needed[i] & ~placed_[i]) != 0) return false;
    return true;
  }

  // Whether a ready write may overwrite what is there.
  bool may(std::int32_t w) const {
    std::int32_t there = cell_[c_.location(w)];
    if (there < 0) return true;
    std::int32_t u = c_.updater(there);
    return come(c_.readers(there)) && (u < 0 || u == w || test(placed_.data(), u));
  }

  // Whether nothing else can come next in the location of a ready write.
  bool first_of_location(std::int32_t w) const {
    std::int32_t loc = c_.location(w), there = cell_[loc];
    return behind_[w] == left_[loc] - 1 || (there >= 0 && c_.updater(there) == w);
  }

  void place_safe() {
    for (bool again = true; again;) {
      again = false;
      for (std::size_t i = 0; i < ready_.size(); ++i) {
        std::int32_t w = ready_[i];
        if (!first_of_location(w) || !may(w)) continue;
        place(w);
        again = true;
        break;
      }
    }
  }

  Ints choices() const {
    Ints found;
    for (std::int32_t w : ready_)
      if (may(w)) found.push_back(w);
    std::sort(found.begin(), found.end(),
              [&](std::int32_t a, std::int32_t b) { return c_.writes()[a] < c_.writes()[b]; });
    return found;
  }

  void place(std::int32_t w) {
    std::int32_t loc = c_.location(w);
    ready_.erase(std::find(ready_.begin(), ready_.end(), w));
    set(placed_.data(), w);
    trail_.push_back(w);
    covered_.push_back(cell_[loc]);
    cell_[loc] = w;
    --left_[loc];
    for (std::int32_t v : after_[w])
      if (--missing_[v] == 0) ready_.push_back(v);
  }

  void undo(std::size_t mark) {
    while (trail_.size() > mark) {
      std::int32_t w = trail_.back(), loc = c_.location(w);
      trail_.pop_back();
      for (std::int32_t v : after_[w])
        if (missing_[v]++ == 0) ready_.erase(std::find(ready_.begin(), ready_.end(), v));
      ++left_[loc];
      cell_[loc] = covered_.back();
      covered_.pop_back();
      placed_[w / 64] &= ~(Word{1} << (w % 64));
      ready_.push_back(w);
    }
  }

  const Constraints& c_;
  Budget& budget_;
  std::vector<Word> placed_;
  Ints cell_, left_;       // per location: what is there; how many writes are still to come
  Ints missing_, behind_;  // per write: predecessors still to come; writes of its location forced behind it
  std::vector<Ints> after_;
  Ints ready_, trail_, covered_;
  std::unordered_set<std::string> visited_;
};

}  // namespace

Result decide(const Execution& x, const std::vector<Graph>& graphs, bool forced, Budget& budget) {
  Result result;
  Constraints constraints(x, graphs, forced, budget);
  if (constraints.impossible()) {
    result.answer = Answer::kInconsistent;
    return result;
  }
  if (budget.spent()) return result;
  result.pairs = constraints.pairs();
  result.ordered = constraints.ordered_pairs();
  if (!forced && constraints.size() <= kTableWrites) {
    if (!budget.hold(Table::bytes_for(constraints.size()))) return result;
    Table(constraints, budget).run(constraints, result);
    return result;
  }
  Search search(constraints, x.locations, budget);
  if (!budget.spent()) search.run(result);
  return result;
}

}  // namespace porf::store_order
