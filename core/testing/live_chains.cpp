// Forgetting: docs/design/testing.md has the proof that nothing is lost.
#include "testing/live_chains.hpp"

namespace porf::testing {

void LiveChains::keep(const explore::Graph& g, Threads alive, Clocks& clocks, std::vector<char>& kept) {
  std::vector<std::vector<Seen>> seen_of(static_cast<std::size_t>(n_));
  for (std::size_t x = 0; x < g.at.size(); ++x) {
    if (g.at[x] < 0) continue;
    auto loc = static_cast<std::int32_t>(x);
    for (std::int32_t t = 0; t < n_; ++t) {
      if ((alive & bit(t)) == 0) continue;
      look(g, clocks, t, loc, clocks.before_next(g, t), -1, false);
      for (const Seen& s : seen_)
        if (s.event >= 0 && (chains_[s.chain].over & alive) != alive) kept[static_cast<std::size_t>(s.event)] = 1;
      seen_of[static_cast<std::size_t>(t)] = seen_;
    }
    for (std::int32_t e = g.at[x]; e >= 0; e = g[e].at) {
      if (kept[static_cast<std::size_t>(e)]) continue;
      std::int32_t c = chain_[e], p = pos_[e];
      bool repeats = !g[e].writes() && g[e].same >= 0 && chain_[g[e].same] == c && pos_[g[e].same] == p;
      if (repeats) continue;
      for (Threads left = alive & ~chains_[c].over; left != 0; left &= left - 1) {
        const std::vector<Seen>& seen = seen_of[static_cast<std::size_t>(std::countr_zero(left))];
        auto known = std::find_if(seen.begin(), seen.end(), [&](const Seen& s) { return s.chain == c; });
        if (known != seen.end() && (g[e].writes() ? p < known->pos : p <= known->pos)) continue;
        kept[static_cast<std::size_t>(e)] = 1;
        break;
      }
    }
  }
}

void LiveChains::rename(const explore::Graph& g, Threads alive, const Clocks& clocks,
                        const std::vector<std::int32_t>& renamed) {
  std::vector<std::int32_t> chain_to(chains_.size(), -1);
  std::vector<Chain> chains(1, chains_[kGone]);
  auto keep_chain = [&](std::int32_t c) {
    if (chain_to[static_cast<std::size_t>(c)] >= 0) return;
    chain_to[static_cast<std::size_t>(c)] = static_cast<std::int32_t>(chains.size());
    chains.push_back(chains_[c]);
  };
  chain_to[kGone] = kGone;
  for (std::int32_t c : initial_) keep_chain(c);
  std::size_t size = static_cast<std::size_t>(g.size());
  std::vector<std::int32_t> chain(size * 2), pos(size * 2), wrote(size * 2);
  for (std::size_t e = 0; e < renamed.size(); ++e) {
    if (renamed[e] < 0) continue;
    auto n = static_cast<std::size_t>(renamed[e]);
    if (g[renamed[e]].loc < 0) continue;
    bool over = (chains_[chain_[e]].over & alive) == alive;
    if (!over) keep_chain(chain_[e]);
    chain[n] = over && chain_to[static_cast<std::size_t>(chain_[e])] < 0
                   ? kGone
                   : chain_to[static_cast<std::size_t>(chain_[e])];
    pos[n] = pos_[e];
    const explore::Event& v = g[renamed[e]];
    wrote[n] = v.writes() ? renamed[e] : v.same >= 0 ? wrote[static_cast<std::size_t>(v.same)] : -1;
  }
  forget_sc(alive, clocks);
  for (std::vector<ScWrite>& line : sc_)
    for (ScWrite& w : line) {
      keep_chain(w.chain);
      w.chain = chain_to[static_cast<std::size_t>(w.chain)];
    }
  std::vector<Edge> edges;
  for (Chain& c : chains) {
    std::int32_t earlier = -1;
    for (std::int32_t n = c.earlier; n >= 0; n = edges_[n].next) {
      std::int32_t from = chain_to[static_cast<std::size_t>(edges_[n].from)];
      if (from <= kGone || (chains[static_cast<std::size_t>(from)].over & alive) == alive) continue;
      edges.push_back({from, earlier});
      earlier = static_cast<std::int32_t>(edges.size()) - 1;
    }
    c.earlier = earlier;
  }
  for (std::int32_t& c : initial_) c = chain_to[static_cast<std::size_t>(c)];
  chains_ = std::move(chains);
  edges_ = std::move(edges);
  chain_ = std::move(chain);
  pos_ = std::move(pos);
  wrote_ = std::move(wrote);
}

void LiveChains::forget_sc(Threads alive, const Clocks& clocks) {
  Count least = clocks.fences();
  for (Threads left = alive; left != 0; left &= left - 1)
    least = std::min(least, clocks.orders_fences() ? clocks.fences_in(clocks.of(std::countr_zero(left))) : 0);
  for (std::vector<ScWrite>& line : sc_) {
    std::size_t stay = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      bool hidden = i + 1 < line.size() && line[i + 1].fences < least;
      if (!hidden && (chains_[line[i].chain].over & alive) != alive) line[stay++] = line[i];
    }
    line.resize(stay);
  }
}

}  // namespace porf::testing
