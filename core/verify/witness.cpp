// Whole matrices of clocks, binary searches and topological sorts: plain rather than fast, yet near-linear.
#include "verify/witness.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "allowance.hpp"

namespace porf::verify {
namespace {

using Rows = std::vector<std::int32_t>;

class Checker {
 public:
  Checker(const Execution& x, Axioms axioms, std::span<const std::int32_t> mo, std::span<const std::int64_t> start,
          const Times& times)
      : x_(x), axioms_(axioms), mo_(mo), start_(start), times_(times), n_(x.size()), k_(x.threads) {}

  Finding run() {
    if (!rank_writes()) return {Fault::kNotAnOrder, -1};
    split_threads();
    if (axioms_ == Axioms::kTso) {
      bool fine = acyclic({.po = Po::kPerLocation, .mo = true, .fr = true}) &&
                  acyclic({.po = Po::kTso, .only_external_rf = true, .mo = true, .fr = true});
      return {fine ? Fault::kNone : Fault::kCyclic, -1};
    }
    if (axioms_ == Axioms::kLin || axioms_ == Axioms::kStrictSc || axioms_ == Axioms::kStrictTso) {
      const Po po = axioms_ == Axioms::kLin ? Po::kNone : axioms_ == Axioms::kStrictTso ? Po::kTso : Po::kAll;
      const bool tso = po == Po::kTso;
      bool fine = acyclic({.po = po, .only_external_rf = tso, .mo = true, .fr = true, .time = true}) &&
                  (!tso || acyclic({.po = Po::kPerLocation, .mo = true, .fr = true}));
      return {fine ? Fault::kNone : Fault::kCyclic, -1};
    }
    Rows order = topological(successors({}));
    if (static_cast<std::int32_t>(order.size()) != n_) return {Fault::kPoRfCyclic, -1};
    if (axioms_ == Axioms::kSc) return {acyclic({.mo = true, .fr = true}) ? Fault::kNone : Fault::kCyclic, -1};
    if (axioms_ == Axioms::kSra && !acyclic({.mo = true})) return {Fault::kCyclic, -1};
    for (std::int32_t e = 0; e < n_; ++e)
      if (x_.op[e] == kUpdate && !atomic(e)) return {Fault::kAtomicity, e};
    compute_clocks(order);
    split_accesses();
    Toil toil;
    for (std::int32_t e = 0; e < n_; ++e) {
      if (x_.op[e] == kFence) continue;
      toil.demand(8 * (groups_of_[x_.loc[e] + 1] - groups_of_[x_.loc[e]]));
      if (!(axioms_ == Axioms::kWra ? weakly_coherent(e) : coherent(e))) return {Fault::kCoherence, e};
    }
    return {};
  }

 private:
  enum class Po : std::uint8_t { kAll, kPerLocation, kTso, kNone };
  // Which relations a graph has.
  struct Graph {
    Po po = Po::kAll;
    bool only_external_rf = false;
    bool mo = false;
    bool fr = false;
    bool time = false;  // real time
  };

  bool rank_writes() {
    rank_.assign(n_, 0);
    if (static_cast<std::int32_t>(start_.size()) != x_.locations + 1 || start_[0] != 0 ||
        start_.back() != static_cast<std::int64_t>(mo_.size()))
      return false;
    for (std::int32_t loc = 0; loc < x_.locations; ++loc) {
      if (start_[loc] > start_[loc + 1]) return false;
      for (std::int64_t i = start_[loc]; i < start_[loc + 1]; ++i) {
        std::int32_t w = mo_[i];
        if (w < 0 || w >= n_ || !x_.writes(w) || x_.loc[w] != loc || rank_[w] != 0) return false;
        rank_[w] = static_cast<std::int32_t>(i - start_[loc]) + 1;
      }
    }
    for (std::int32_t e = 0; e < n_; ++e)
      if (x_.writes(e) && rank_[e] == 0) return false;
    return true;
  }

  void split_threads() {
    thread_rows_.assign(k_, {});
    index_.resize(n_);
    for (std::int32_t e = 0; e < n_; ++e) {
      thread_rows_[x_.thread[e]].push_back(e);
      index_[e] = static_cast<std::int32_t>(thread_rows_[x_.thread[e]].size());
    }
  }

  std::int32_t rank_of(std::int32_t w) const { return w < 0 ? 0 : rank_[w]; }
  std::int32_t successor(std::int32_t w, std::int32_t loc) const {
    std::int64_t at = start_[loc] + rank_of(w);
    return at < start_[loc + 1] ? mo_[at] : -1;
  }

  bool acyclic(const Graph& graph) const {
    std::vector<Rows> out = successors(graph);
    const std::size_t nodes = out.size();
    return topological(std::move(out)).size() == nodes;
  }

  // Neighbours that generate a graph's relations: in mo and fr the next write only, for mo does the rest.
  std::vector<Rows> successors(const Graph& graph) const {
    std::vector<Rows> out(n_);
    Toil toil;
    if (graph.po != Po::kNone)
      for (const Rows& rows : thread_rows_) add_program_order(rows, graph.po, out);
    if (graph.time) add_real_time(graph.po == Po::kTso, out);
    for (std::int32_t e = 0; e < n_; ++e) {
      toil.demand(16);
      if (graph.mo && x_.writes(e) && successor(e, x_.loc[e]) >= 0) out[e].push_back(successor(e, x_.loc[e]));
      if (!x_.reads(e)) continue;
      std::int32_t w = x_.rf[e];
      if (w >= 0 && !(graph.only_external_rf && x_.thread[w] == x_.thread[e])) out[w].push_back(e);
      std::int32_t next = graph.fr ? successor(w, x_.loc[e]) : -1;
      if (next >= 0 && next != e) out[e].push_back(next);
    }
    return out;
  }

  void add_program_order(const Rows& rows, Po po, std::vector<Rows>& out) const {
    std::int32_t last = -1, last_write = -1;
    std::map<std::int32_t, std::int32_t> last_of;  // per location
    for (std::int32_t e : rows) {
      auto after = [&](std::int32_t before) {
        if (before >= 0) out[before].push_back(e);
      };
      if (po == Po::kPerLocation) {
        auto [found, fresh] = last_of.try_emplace(x_.loc[e], -1);
        if (x_.op[e] != kFence) after(std::exchange(found->second, e));
      } else if (po == Po::kAll) {
        after(std::exchange(last, e));
      } else {
        // TSO keeps all but a plain write before a plain read. `last` is the last event that is no plain write.
        after(last);
        if (x_.op[e] != kRead) after(last_write);
        (x_.op[e] == kWrite ? last_write : last) = e;
      }
    }
  }

  // A node for each time at which something begins, each before the next one: an operation comes after the node of its
  // start, and before that of the first start after its end.
  void add_real_time(bool writes_linger, std::vector<Rows>& out) const {
    std::vector<std::int64_t> starts;
    for (std::int32_t e = 0; e < n_; ++e)
      if (times_.begins(e)) starts.push_back(times_.start[e]);
    std::sort(starts.begin(), starts.end());
    starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
    out.resize(out.size() + starts.size());
    Toil toil;
    for (std::size_t i = 0; i + 1 < starts.size(); ++i) out[n_ + i].push_back(static_cast<std::int32_t>(n_ + i + 1));
    for (std::int32_t e = 0; e < n_; ++e) {
      toil.demand(64);
      if (!times_.begins(e)) continue;
      out[n_ + (std::lower_bound(starts.begin(), starts.end(), times_.start[e]) - starts.begin())].push_back(e);
      if (!times_.ends(e) || (writes_linger && x_.op[e] == kWrite)) continue;
      const auto later = std::upper_bound(starts.begin(), starts.end(), times_.end[e]);
      if (later != starts.end()) out[e].push_back(static_cast<std::int32_t>(n_ + (later - starts.begin())));
    }
  }

  // Kahn's algorithm; as long as the nodes iff the graph is acyclic.
  static Rows topological(std::vector<Rows> out) {
    const auto nodes = static_cast<std::int32_t>(out.size());
    Rows incoming(nodes, 0), order;
    for (const Rows& targets : out)
      for (std::int32_t f : targets) ++incoming[f];
    for (std::int32_t e = 0; e < nodes; ++e)
      if (incoming[e] == 0) order.push_back(e);
    Toil toil;
    for (std::size_t i = 0; i < order.size(); ++i) {
      toil.demand(4 + out[order[i]].size());
      for (std::int32_t f : out[order[i]])
        if (--incoming[f] == 0) order.push_back(f);
    }
    return order;
  }

  bool atomic(std::int32_t u) {
    if (axioms_ != Axioms::kWra) return rank_[u] == rank_of(x_.rf[u]) + 1;
    if (updater_.empty()) {
      updater_.assign(n_, -1);
      initial_updater_.assign(x_.locations, -1);
    }
    std::int32_t& known = x_.rf[u] < 0 ? initial_updater_[x_.loc[u]] : updater_[x_.rf[u]];
    return std::exchange(known, u) < 0;
  }

  std::int32_t* row(std::vector<std::int32_t>& matrix, std::int32_t e) const {
    return matrix.data() + static_cast<std::size_t>(e) * k_;
  }
  void join(std::int32_t* into, const std::int32_t* from) const {
    for (std::int32_t t = 0; t < k_; ++t) into[t] = std::max(into[t], from[t]);
  }

  // hb_[e]: how many events of each thread happen before or are e. released_[w]: those before what w's readers acquire.
  void compute_clocks(const Rows& order) {
    Allowance::of_thread().claim(8 * static_cast<std::uint64_t>(n_) * static_cast<std::uint64_t>(k_));
    hb_.assign(static_cast<std::size_t>(n_) * k_, 0);
    if (axioms_ == Axioms::kRc20) released_ = hb_;
    std::vector<Rows> read_so_far(k_);  // what each thread may acquire by a fence
    Rows release_fence(k_, -1);
    Toil toil;
    for (std::int32_t e : order) {
      toil.demand(3 * static_cast<std::uint64_t>(k_));
      std::int32_t t = x_.thread[e];
      if (index_[e] > 1) join(row(hb_, e), row(hb_, thread_rows_[t][index_[e] - 2]));
      row(hb_, e)[t] = index_[e];
      if (axioms_ == Axioms::kRelaxed) continue;
      if (axioms_ != Axioms::kRc20) {
        if (x_.reads(e) && x_.rf[e] >= 0) join(row(hb_, e), row(hb_, x_.rf[e]));
        continue;
      }
      if (x_.reads(e) && x_.rf[e] >= 0) {
        if (acquires(x_.order[e])) join(row(hb_, e), row(released_, x_.rf[e]));
        read_so_far[t].push_back(x_.rf[e]);
      }
      if (x_.op[e] == kFence && acquires(x_.order[e])) {
        toil.demand(read_so_far[t].size() * static_cast<std::uint64_t>(k_));
        for (std::int32_t w : read_so_far[t]) join(row(hb_, e), row(released_, w));
        read_so_far[t].clear();
      }
      if (x_.op[e] == kFence && releases(x_.order[e])) release_fence[t] = e;
      if (!x_.writes(e)) continue;
      if (releases(x_.order[e]))
        join(row(released_, e), row(hb_, e));
      else if (release_fence[t] >= 0)
        join(row(released_, e), row(hb_, release_fence[t]));
      if (x_.op[e] == kUpdate && x_.rf[e] >= 0) join(row(released_, e), row(released_, x_.rf[e]));
    }
  }

  void split_accesses() {
    // Rows sorted by location, then thread, then place: each (location, thread) group is a range.
    for (std::int32_t e = 0; e < n_; ++e)
      if (x_.op[e] != kFence && (axioms_ != Axioms::kWra || x_.writes(e))) accesses_.push_back(e);
    std::sort(accesses_.begin(), accesses_.end(), [&](std::int32_t a, std::int32_t b) {
      return std::pair(x_.loc[a], x_.thread[a]) < std::pair(x_.loc[b], x_.thread[b]) ||
             (x_.loc[a] == x_.loc[b] && x_.thread[a] == x_.thread[b] && index_[a] < index_[b]);
    });
    groups_of_.assign(x_.locations + 1, 0);
    for (std::size_t i = 0; i < accesses_.size();) {
      std::size_t j = i;
      while (j < accesses_.size() && x_.loc[accesses_[j]] == x_.loc[accesses_[i]] &&
             x_.thread[accesses_[j]] == x_.thread[accesses_[i]])
        ++j;
      groups_.emplace_back(i, j);
      ++groups_of_[x_.loc[accesses_[i]] + 1];
      i = j;
    }
    std::partial_sum(groups_of_.begin(), groups_of_.end(), groups_of_.begin());
  }

  // Visits, per thread, the last access of e's location that strictly happens before e; false stops.
  template <typename Visit>
  bool each_before(std::int32_t e, Visit&& visit) const {
    const std::int32_t* clock = hb_.data() + static_cast<std::size_t>(e) * k_;
    for (std::size_t g = groups_of_[x_.loc[e]]; g < groups_of_[x_.loc[e] + 1]; ++g) {
      auto [first, last] = groups_[g];
      std::int32_t u = x_.thread[accesses_[first]];
      std::int32_t limit = u == x_.thread[e] ? index_[e] - 1 : clock[u];
      auto end = std::partition_point(accesses_.begin() + first, accesses_.begin() + last,
                                      [&](std::int32_t a) { return index_[a] <= limit; });
      if (end == accesses_.begin() + first) continue;
      if (!visit(*(end - 1))) return false;
    }
    return true;
  }

  // Write- and read-coherence in one: what is left by an access that happens before e is not mo-after what e
  // targets. The last access per thread is enough, for along a thread these very checks make the ranks grow.
  bool coherent(std::int32_t e) const {
    std::int32_t target = x_.reads(e) ? rank_of(x_.rf[e]) : rank_[e] - 1;
    return each_before(e, [&](std::int32_t a) { return rank_of(x_.writes(a) ? a : x_.rf[a]) <= target; });
  }

  bool weakly_coherent(std::int32_t e) const {
    if (!x_.reads(e)) return true;
    std::int32_t w = x_.rf[e];
    return each_before(e, [&](std::int32_t other) {
      if (other == w) return true;
      return w >= 0 && hb_[static_cast<std::size_t>(other) * k_ + x_.thread[w]] < index_[w];
    });
  }

  const Execution& x_;
  Axioms axioms_;
  std::span<const std::int32_t> mo_;
  std::span<const std::int64_t> start_;
  const Times& times_;
  std::int32_t n_, k_;
  Rows rank_;   // per write: its place in mo, from 1; the initial write has 0
  Rows index_;  // per row: its place in its thread, from 1
  std::vector<Rows> thread_rows_;
  std::vector<std::int32_t> hb_, released_;
  Rows updater_, initial_updater_;
  Rows accesses_;
  std::vector<std::pair<std::size_t, std::size_t>> groups_;
  std::vector<std::size_t> groups_of_;  // per location: its groups
};

}  // namespace

Finding check_witness(const Execution& x, Axioms axioms, std::span<const std::int32_t> mo,
                      std::span<const std::int64_t> start, const Times& times) {
  return Checker(x, axioms, mo, start, times).run();
}

bool is_interleaving(const Execution& x, std::span<const std::int32_t> order) {
  if (static_cast<std::int32_t>(order.size()) != x.size()) return false;
  Rows next(x.threads, -1), memory(x.locations, kInitial);
  std::vector<bool> seen(x.size(), false);
  for (std::int32_t e : order) {
    if (e < 0 || e >= x.size() || seen[e] || e < next[x.thread[e]]) return false;
    seen[e] = true;
    next[x.thread[e]] = e;
    if (x.reads(e) && x.rf[e] != memory[x.loc[e]]) return false;
    if (x.writes(e)) memory[x.loc[e]] = e;
  }
  return true;
}

}  // namespace porf::verify
