// Bits are writes from which a step by the modification order has just come; they are carried along the walks, so many
// at a time, and only through places between such a step and another.
#include "walks/saturation.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace porf::walks {
namespace {

constexpr std::size_t kWords = 8;
constexpr std::int32_t kBits = 64 * kWords;

bool by_read(std::int32_t letter) { return letter == kFr || letter == kFre; }
bool between_threads(std::int32_t letter) { return letter == kMoe || letter == kFre; }

// For each chain, and each thread that writes its location, the thread's last write that is known to come before.
class Known {
 public:
  Known(const Nodes& nodes, const WriteChains& chains, const Ints& order)
      : k_(static_cast<std::size_t>(nodes.threads)), last_(static_cast<std::size_t>(chains.size()) * k_, -1) {
    Large<EdgeGraph::Edge> members;
    for (std::int32_t w = 0; w < nodes.size(); ++w) {
      if (!nodes.writes[w]) continue;
      const std::int32_t c = chains.chain_of(w, nodes.loc[w]);
      if (!chains.initial(c)) members.emplace_back(c, w);
    }
    const Steps writes(chains.size(), nodes.size(), members), onward(chains.size(), chains.forced());
    Ints own(k_);
    for (std::int32_t c : order) {
      std::copy_n(row(c), k_, own.begin());
      for (std::int32_t w : writes.from(c)) raise(own[nodes.thread[w]], w);
      for (std::int32_t d : onward.from(c))
        for (std::size_t t = 0; t < k_; ++t) raise(row(d)[t], own[t]);
    }
  }

  bool before(std::int32_t w, std::int32_t thread, std::int32_t chain) const {
    return last_[static_cast<std::size_t>(chain) * k_ + static_cast<std::size_t>(thread)] >= w;
  }

 private:
  static void raise(std::int32_t& known, std::int32_t w) { known = std::max(known, w); }
  std::int32_t* row(std::int32_t c) { return last_.data() + static_cast<std::size_t>(c) * k_; }

  std::size_t k_;
  Ints last_;
};

// A step by the modification order that could be made at a place.
struct End {
  std::int32_t place;   // among those that matter
  std::int32_t event;   // where it starts
  std::int32_t letter;  // kind of step
  std::int32_t group;   // of the states that it leads to
};

class Saturation {
 public:
  Saturation(const Nodes& nodes, const Automaton& automaton, const StepLists& steps, const WriteChains& chains,
             const Ints& order, const Product& product, Budget& budget)
      : nodes_(nodes),
        automaton_(automaton),
        steps_(steps),
        chains_(chains),
        known_(nodes, chains, order),
        product_(product),
        budget_(budget) {}

  Large<EdgeGraph::Edge> run() {
    group_states();
    for (std::int32_t group = 0; group < static_cast<std::int32_t>(representative_.size()); ++group) spread(group);
    Large<EdgeGraph::Edge> out;
    for (const auto& [pair, write] : found_) out.emplace_back(chains_.chain_of(write, nodes_.loc[write]), pair.first);
    return out;
  }

 private:
  // States that the same follows after a step by the modification order.
  void group_states() {
    group_.assign(static_cast<std::size_t>(automaton_.states()), -1);
    auto alike = [&](std::int32_t s, std::int32_t r) {
      auto has = [](const auto& moves, const Automaton::Move& m) {
        return std::any_of(moves.begin(), moves.end(),
                           [&](const Automaton::Move& o) { return o.test == m.test && o.to == m.to; });
      };
      const auto &a = automaton_.moves[s], &b = automaton_.moves[r];
      return a.size() == b.size() &&
             std::all_of(a.begin(), a.end(), [&](const Automaton::Move& m) { return has(b, m); });
    };
    for (std::int32_t s = 0; s < automaton_.hub(); ++s) {
      if (!automaton_.dynamic(s)) continue;
      for (std::size_t g = 0; g < representative_.size() && group_[s] < 0; ++g)
        if (alike(s, representative_[g])) group_[s] = static_cast<std::int32_t>(g);
      if (group_[s] >= 0) continue;
      group_[s] = static_cast<std::int32_t>(representative_.size());
      representative_.push_back(s);
    }
  }

  // The places to which a state's moves lead from an event.
  template <typename Visit>
  void each_onward(std::int32_t e, std::int32_t state, Visit&& visit) const {
    for (const auto& move : automaton_.moves[state]) {
      if (!selected(nodes_, e, move.test)) continue;
      if (move.to == automaton_.hub())
        visit(product_.number(e, move.to));
      else
        for (std::int32_t f : steps_[automaton_.letters[move.to]].from(e)) visit(product_.number(f, move.to));
    }
  }

  template <typename Visit>
  void each_end(std::int32_t v, std::int32_t group, Visit&& visit) const {
    const auto [e, state] = product_.place(v);
    for (const auto& move : automaton_.moves[state]) {
      if (move.to == automaton_.hub() || group_[move.to] != group || !selected(nodes_, e, move.test)) continue;
      const std::int32_t letter = automaton_.letters[move.to];
      if (by_read(letter) ? nodes_.rf[e] == kNone : nodes_.writes[e] == 0) continue;
      visit(e, letter);
    }
  }

  void spread(std::int32_t group) {
    const std::int32_t state = representative_[group];
    // Forwards from all writes, backwards from all ends: what both reach matters.
    const Ints& order = product_.order();
    Large<std::uint8_t> mark(static_cast<std::size_t>(product_.size()), 0);
    Ints starts;
    for (std::int32_t w = 0; w < nodes_.size(); ++w) {
      if (!nodes_.writes[w]) continue;
      bool any = false;
      each_onward(w, state, [&](std::int32_t v) {
        mark[v] = 1;
        any = true;
      });
      if (any) starts.push_back(w);
    }
    for (std::int32_t v : order) {
      if (!budget_.spend()) return;
      if (mark[v] & 1) product_.each_target(v, [&](std::int32_t u) { mark[u] |= 1; });
    }
    for (std::size_t i = order.size(); i-- > 0;) {
      const std::int32_t v = order[i];
      bool leads = false;
      each_end(v, group, [&](std::int32_t, std::int32_t) { leads = true; });
      product_.each_target(v, [&](std::int32_t u) { leads |= (mark[u] & 2) != 0; });
      if (leads) mark[v] |= 2;
    }
    number_.assign(static_cast<std::size_t>(product_.size()), -1);
    std::int32_t count = 0;
    for (std::int32_t v : order)
      if (mark[v] == 3) number_[v] = count++;
    from_.assign(1, 0);
    to_.clear();
    std::vector<End> ends;
    for (std::int32_t v : order) {
      if (number_[v] < 0) continue;
      product_.each_target(v, [&](std::int32_t u) {
        if (number_[u] >= 0) to_.push_back(number_[u]);
      });
      from_.push_back(static_cast<std::uint32_t>(to_.size()));
      each_end(v, group, [&](std::int32_t e, std::int32_t letter) { ends.push_back({number_[v], e, letter, group}); });
    }
    if (!budget_.hold(static_cast<std::uint64_t>(count) * kWords * 8 + to_.size() * 4)) return;
    std::stable_sort(ends.begin(), ends.end(),
                     [&](const End& a, const End& b) { return nodes_.loc[a.event] < nodes_.loc[b.event]; });
    std::erase_if(starts, [&](std::int32_t w) {
      bool any = false;
      each_onward(w, state, [&](std::int32_t v) { any |= number_[v] >= 0; });
      return !any;
    });
    std::stable_sort(starts.begin(), starts.end(),
                     [&](std::int32_t a, std::int32_t b) { return nodes_.loc[a] < nodes_.loc[b]; });
    bits_.assign(static_cast<std::size_t>(count) * kWords, 0);
    for (std::size_t at = 0; at < starts.size() && !budget_.spent(); at += kBits)
      block(std::span(starts).subspan(at, std::min<std::size_t>(kBits, starts.size() - at)), state, count, ends);
  }

  void block(std::span<const std::int32_t> starts, std::int32_t state, std::int32_t count,
             const std::vector<End>& ends) {
    std::fill(bits_.begin(), bits_.end(), std::uint64_t{0});
    std::int32_t first = count;
    for (std::size_t b = 0; b < starts.size(); ++b)
      each_onward(starts[b], state, [&](std::int32_t v) {
        if (number_[v] < 0) return;
        bits_[static_cast<std::size_t>(number_[v]) * kWords + b / 64] |= std::uint64_t{1} << (b % 64);
        first = std::min(first, number_[v]);
      });
    for (std::int32_t n = first; n < count; ++n) {
      if (n % 16 == 0 && !budget_.spend()) return;
      const std::uint64_t* own = bits_.data() + static_cast<std::size_t>(n) * kWords;
      std::uint64_t any = 0;
      for (std::size_t i = 0; i < kWords; ++i) any |= own[i];
      if (any == 0) continue;
      for (std::uint32_t i = from_[n]; i < from_[n + 1]; ++i) {
        std::uint64_t* other = bits_.data() + static_cast<std::size_t>(to_[i]) * kWords;
        for (std::size_t w = 0; w < kWords; ++w) other[w] |= own[w];
      }
    }
    // Ends at the locations of these writes; each location's bits are a stretch.
    for (std::size_t begin = 0; begin < starts.size();) {
      const std::int32_t loc = nodes_.loc[starts[begin]];
      std::size_t end = begin;
      while (end < starts.size() && nodes_.loc[starts[end]] == loc) ++end;
      auto less = [&](const End& a, std::int32_t x) { return nodes_.loc[a.event] < x; };
      for (auto it = std::lower_bound(ends.begin(), ends.end(), loc, less);
           it != ends.end() && nodes_.loc[it->event] == loc; ++it)
        look(*it, starts, begin, end);
      begin = end;
    }
  }

  void look(const End& end, std::span<const std::int32_t> starts, std::size_t begin, std::size_t stop) {
    const std::int32_t e = end.event;
    const std::int32_t chain = chains_.chain_of(by_read(end.letter) ? nodes_.rf[e] : e, nodes_.loc[e]);
    if (chains_.initial(chain)) return;  // a step from there is a step that is known
    const std::uint64_t* own = bits_.data() + static_cast<std::size_t>(end.place) * kWords;
    for (std::size_t word = begin / 64; word <= (stop - 1) / 64; ++word) {
      for (std::uint64_t bits = own[word]; bits != 0; bits &= bits - 1) {
        const std::size_t b = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        if (b < begin || b >= stop) continue;
        const std::int32_t w = starts[b], thread = nodes_.thread[w];
        if (between_threads(end.letter) && thread == nodes_.thread[e]) continue;
        const std::int32_t before = chains_.chain_of(w, nodes_.loc[w]);
        if (before == chain || chains_.initial(before) || known_.before(w, thread, chain)) continue;
        // Of a thread's writes the last one says it of the others.
        auto [at, fresh] = found_.try_emplace({chain, thread}, w);
        if (!fresh) at->second = std::max(at->second, w);
      }
    }
  }

  const Nodes& nodes_;
  const Automaton& automaton_;
  const StepLists& steps_;
  const WriteChains& chains_;
  const Known known_;
  const Product& product_;
  Budget& budget_;
  Ints group_, representative_, number_;
  Large<std::uint32_t> from_;
  Ints to_;
  Large<std::uint64_t> bits_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> found_;  // chain, thread -> its last write
};

}  // namespace

Large<EdgeGraph::Edge> forced_by(const Nodes& nodes, const Automaton& automaton, const StepLists& steps,
                                 const WriteChains& chains, const Ints& order, const Product& product, Budget& budget) {
  return Saturation(nodes, automaton, steps, chains, order, product, budget).run();
}

}  // namespace porf::walks
