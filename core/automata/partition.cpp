// The parts of a guarded automaton: states are told apart by what they accept, then by where they lead, until
// no part splits.
#include <algorithm>
#include <cstddef>
#include <unordered_map>

#include "automata/guarded.hpp"

namespace porf::automata {
namespace {

using Signature = std::vector<Word>;

struct Hash {
  std::size_t operator()(const Signature& signature) const {
    std::uint64_t hash = 0x9e3779b97f4a7c15;
    for (Word word : signature) hash = (hash ^ word) * 0xff51afd7ed558ccd + (hash >> 29);
    return hash;
  }
};

class Numbers {
 public:
  std::int32_t of(Signature&& signature) {
    return known_.try_emplace(std::move(signature), static_cast<std::int32_t>(known_.size())).first->second;
  }
  std::size_t count() const { return known_.size(); }

 private:
  std::unordered_map<Signature, std::int32_t, Hash> known_;
};

// Transitions by the state that they leave (or enter), as one column of indices.
struct Rows {
  std::vector<std::size_t> begin, edges;

  Rows(std::int32_t states, const std::vector<std::int32_t>& own)
      : begin(static_cast<std::size_t>(states) + 1), edges(own.size()) {
    for (std::int32_t state : own) ++begin[static_cast<std::size_t>(state) + 1];
    for (std::size_t s = 1; s < begin.size(); ++s) begin[s] += begin[s - 1];
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    for (std::size_t e = 0; e < own.size(); ++e) edges[next[own[e]]++] = e;
  }
};

}  // namespace

std::vector<std::int32_t> partition(const GuardedAutomaton& automaton, bool forwards) {
  const auto states = static_cast<std::size_t>(automaton.states);
  const std::size_t words = automaton.guard.words;
  const auto& own = forwards ? automaton.source : automaton.target;
  const auto& other = forwards ? automaton.target : automaton.source;
  const Rows rows(automaton.states, own);

  std::vector<std::int32_t> part(states);
  Numbers first;
  std::vector<Word> begins(states);
  for (std::int32_t state : automaton.initial) begins[state] = 1;
  for (std::size_t s = 0; s < states; ++s) {
    part[s] = first.of(forwards ? Signature(automaton.final[s], automaton.final[s] + words) : Signature{begins[s]});
  }
  std::size_t count = 0, found = first.count();
  std::vector<std::size_t> order;
  while (found != count) {
    count = found;
    Numbers numbers;
    std::vector<std::int32_t> finer(states);
    for (std::size_t s = 0; s < states; ++s) {
      auto key = [&](std::size_t e) {
        return static_cast<Word>(part[other[e]]) << 32 | static_cast<Word>(automaton.letter[e]);
      };
      order.assign(rows.edges.begin() + static_cast<std::ptrdiff_t>(rows.begin[s]),
                   rows.edges.begin() + static_cast<std::ptrdiff_t>(rows.begin[s + 1]));
      std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
      Signature signature{static_cast<Word>(part[s])};
      for (std::size_t k = 0; k < order.size(); ++k) {
        const Word* guard = automaton.guard[order[k]];
        if (k == 0 || key(order[k]) != key(order[k - 1])) {
          signature.push_back(key(order[k]));
          signature.insert(signature.end(), guard, guard + words);
        } else {
          or_row(signature.data() + signature.size() - words, guard, words);
        }
      }
      finer[s] = numbers.of(std::move(signature));
    }
    part.swap(finer);
    found = numbers.count();
  }
  return part;
}

}  // namespace porf::automata
