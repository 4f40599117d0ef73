// A right automaton made ready for reading: successor sets by reading, closed downwards under simulation. On such sets
// inclusion is the strongest comparison that simulation gives, and a set stands for its largest states.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "automata/alphabet.hpp"
#include "automata/nfa.hpp"
#include "automata/simulation.hpp"
#include "budget.hpp"

namespace porf::automata {

class Reader {
 public:
  Reader(const Nfa& nfa, const Alphabet& alphabet, Budget& budget)
      : nfa_(reduced(nfa, budget)),
        readings_(at(nfa.readings)),
        below_(states(), states()),
        towards_(states(), states()),
        final_in_(at(nfa.classes), states()),
        after_(states() * readings_),
        begun_(readings_),
        empty_words_(nfa_.final.words) {
    const BitRows above = simulation(nfa_, nfa_, budget);
    begin_.resize(words());
    for (std::size_t p = 0; p < states(); ++p) {
      for_each_bit(above[p], words(), [&](std::size_t q) { set(below_[q], p); });
      for_each_bit(nfa_.final[p], nfa_.final.words, [&](std::size_t cls) { set(final_in_[cls], p); });
    }
    smaller_ = below_;
    for (std::size_t p = 0; p < states(); ++p) smaller_[p][p / 64] &= ~(Word{1} << (p % 64));
    for (std::int32_t r = 0; r < nfa_.readings; ++r) class_of_.push_back(alphabet.class_of(r));
    const EdgeIndex edges(nfa_, false);
    BitRows together(readings_, states());
    for (std::size_t p = 0; p < states() && budget.spend(readings_); ++p) {
      for (std::size_t r = 0; r < readings_; ++r) {
        const auto targets = edges.at(static_cast<std::int32_t>(p), static_cast<std::int32_t>(r));
        if (targets.empty()) continue;
        std::vector<Word> row(words());
        for (std::int32_t target : targets) or_row(row.data(), below_[at(target)], words());
        after_[p * readings_ + r] = keep(row);
        if (std::binary_search(nfa_.initial.begin(), nfa_.initial.end(), static_cast<std::int32_t>(p)))
          or_row(together[r], row.data(), words());
      }
    }
    for (std::size_t r = 0; r < readings_; ++r) begun_[r] = keep(std::vector<Word>(together[r], together[r] + words()));
    for (std::int32_t s : nfa_.initial) {
      or_row(begin_.data(), below_[at(s)], words());
      or_row(empty_words_.data(), nfa_.final[at(s)], nfa_.final.words);
    }
    for (std::size_t p = 0; p < states() && budget.spend(nfa_.edges.size()); ++p) {
      std::vector<std::int32_t> from;
      for_each_bit(above[p], words(), [&](std::size_t q) { from.push_back(static_cast<std::int32_t>(q)); });
      const std::vector<bool> seen = reached(nfa_, std::move(from), true);
      for (std::size_t q = 0; q < states(); ++q) {
        if (seen[q]) set(towards_[p], q);
      }
    }
  }

  const Nfa& nfa() const { return nfa_; }
  std::size_t states() const { return static_cast<std::size_t>(nfa_.states); }
  std::size_t words() const { return below_.words; }

  const Word* below(std::size_t state) const { return below_[state]; }
  const Word* begin() const { return begin_.data(); }
  // What a state, or the initial ones, become by a reading; null for nothing.
  const Word* after(std::size_t state, std::size_t reading) const {
    return pooled(after_[state * readings_ + reading]);
  }
  const Word* begun(std::size_t reading) const { return pooled(begun_[reading]); }
  // The states that are final for a class, or for the classes of a reading.
  const Word* final_in(std::size_t cls) const { return final_in_[cls]; }
  const Word* final_at(std::size_t reading) const { return final_in_[class_of_[reading]]; }
  // The states from which one that simulates this state can be reached.
  const Word* towards(std::size_t state) const { return towards_[state]; }
  // The classes that it accepts as words without letters.
  const std::vector<Word>& empty_words() const { return empty_words_; }

  std::uint64_t bytes() const {
    const std::size_t tables = below_.data.size() + smaller_.data.size() + towards_.data.size() + 2 * pool_.size();
    return sizeof(Word) * tables + sizeof(std::uint32_t) * after_.size() + sizeof(Edge) * nfa_.edges.size();
  }

  // Appends the largest states of a closed set; `kept` is scratch space.
  void largest(const Word* closed, std::vector<std::int32_t>& out, std::vector<Word>& kept) const {
    kept.assign(closed, closed + words());
    for_each_bit(closed, words(), [&](std::size_t q) {
      const Word* smaller = smaller_[q];
      for (std::size_t w = 0; w < words(); ++w) kept[w] &= ~smaller[w];
    });
    for_each_bit(kept.data(), words(), [&](std::size_t q) { out.push_back(static_cast<std::int32_t>(q)); });
  }

 private:
  const Word* pooled(std::uint32_t id) const { return id == 0 ? nullptr : pool_.data() + (id - 1) * words(); }

  std::uint32_t keep(const std::vector<Word>& row) {
    if (relations::is_empty(row.data(), row.size())) return 0;
    const auto [found, fresh] = known_.emplace(row, static_cast<std::uint32_t>(known_.size() + 1));
    if (fresh) pool_.insert(pool_.end(), row.begin(), row.end());
    return found->second;
  }

  Nfa nfa_;
  std::size_t readings_;
  BitRows below_, smaller_, towards_, final_in_;
  std::vector<std::uint32_t> after_, begun_;  // 0, or the place in the pool plus one
  std::vector<Word> pool_, begin_, empty_words_;
  std::map<std::vector<Word>, std::uint32_t> known_;
  std::vector<std::int32_t> class_of_;
};

}  // namespace porf::automata
