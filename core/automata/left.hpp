// The left side of an inclusion. The rule of domains and ranges becomes part of its states, and its words
// become words of readings; a word of readings can be spelled as atoms and letters again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "automata/alphabet.hpp"
#include "automata/simulation.hpp"

namespace porf::automata {

// States are unfolded by what the last letter's range allows, then reduced.
class Left {
 public:
  // The classes of `unread` stand in no word that matters.
  Left(const Question& question, const Alphabet& alphabet, const std::vector<Word>& unread, Budget& budget) {
    unfold(question, alphabet, unread);
    reduce(alphabet, budget);
  }

  struct First {  // the class and reading with which a word begins, and the state after it
    std::int32_t cls, reading, target;
  };
  const std::vector<First>& first() const { return first_; }
  // The classes of words without letters.
  const std::vector<Word>& empty_words() const { return empty_words_; }
  // What follows a first letter, reduced.
  const Nfa& body() const { return body_; }

  struct Spelling {
    std::vector<std::int32_t> classes, letters;
  };

  // A word of these readings that begins and ends with these classes. There must be one.
  Spelling spell(const std::vector<std::int32_t>& readings, std::int32_t first, std::int32_t last) const {
    const std::size_t n = readings.size();
    BitRows visited(n + 1, steps_.size());
    set(visited[0], 0);
    auto fits = [&](std::size_t i, const Step& step) {
      return step.reading == readings[i] && (i != 0 || step.cls == first);
    };
    for (std::size_t i = 0; i < n; ++i) {
      for_each_bit(visited[i], visited.words, [&](std::size_t s) {
        for (const Step& step : steps_[s]) {
          if (fits(i, step)) set(visited[i + 1], at(step.target));
        }
      });
    }
    std::size_t state = 0;
    for_each_bit(visited[n], visited.words, [&](std::size_t s) {
      if (n > 0 && test(final_[s], at(last))) state = s;
    });
    Spelling out{std::vector<std::int32_t>(n + 1, last), std::vector<std::int32_t>(n)};
    for (std::size_t i = n; i-- > 0;) {
      bool found = false;
      for_each_bit(visited[i], visited.words, [&](std::size_t s) {
        for (const Step& step : steps_[s]) {
          if (found || !fits(i, step) || at(step.target) != state) continue;
          found = true;
          out.classes[i] = step.cls;
          out.letters[i] = step.letter;
          state = s;
        }
      });
    }
    return out;
  }

 private:
  struct Step {
    std::int32_t cls, letter, reading, target;
  };

  void unfold(const Question& question, const Alphabet& alphabet, const std::vector<Word>& unread) {
    const GuardedAutomaton& left = *question.left;
    const std::size_t classes = at(alphabet.classes()), letters = at(question.letters);
    auto classes_of = [&](const Word* atoms) {
      std::vector<Word> out((classes + 63) / 64);
      alphabet.to_classes(atoms, out.data());
      for (std::size_t w = 0; w < out.size(); ++w) out[w] &= ~unread[w];
      return out;
    };
    std::vector<std::vector<Word>> guards, ranges;
    for (std::size_t t = 0; t < left.source.size(); ++t) guards.push_back(classes_of(left.guard[t]));
    for (std::size_t r = 0; r < letters; ++r) ranges.push_back(classes_of(question.range[r]));
    std::vector<std::vector<std::size_t>> leaving(at(left.states));
    for (std::size_t t = 0; t < left.source.size(); ++t) leaving[at(left.source[t])].push_back(t);

    // A state of the unfolding: a state, and the classes that the range of the letter before it leaves.
    using Key = std::pair<std::int32_t, std::vector<Word>>;
    std::map<Key, std::int32_t> known;
    std::vector<const Key*> keys{nullptr};
    steps_.resize(1);
    auto allowed = [&](const Key& key, std::vector<Word> set_of_classes) {
      for (std::size_t w = 0; w < set_of_classes.size(); ++w) set_of_classes[w] &= key.second[w];
      return set_of_classes;
    };
    auto leave = [&](const Key& key, std::size_t from) {
      for (std::size_t t : leaving[at(key.first)]) {
        const std::vector<Word> now = allowed(key, guards[t]);
        if (relations::is_empty(now.data(), now.size())) continue;
        const auto [found, fresh] =
            known.emplace(Key(left.target[t], ranges[at(left.letter[t])]), static_cast<std::int32_t>(keys.size()));
        if (fresh) {
          keys.push_back(&found->first);
          steps_.emplace_back();
        }
        for_each_bit(now.data(), now.size(), [&](std::size_t cls) {
          const std::int32_t reading = alphabet.reading(static_cast<std::int32_t>(cls), left.letter[t]);
          if (reading >= 0)
            steps_[from].push_back({static_cast<std::int32_t>(cls), left.letter[t], reading, found->second});
        });
      }
    };
    empty_words_.resize((classes + 63) / 64);
    std::vector<Word> all((classes + 63) / 64);
    for (std::size_t c = 0; c < classes; ++c) set(all.data(), c);
    for (std::int32_t s : left.initial) {
      leave(Key(s, all), 0);
      or_row(empty_words_.data(), classes_of(left.final[at(s)]).data(), empty_words_.size());
    }
    for (std::size_t s = 1; s < keys.size(); ++s) leave(*keys[s], s);
    final_ = BitRows(keys.size(), classes);
    for (std::size_t s = 1; s < keys.size(); ++s)
      or_row(final_[s], allowed(*keys[s], classes_of(left.final[at(keys[s]->first)])).data(), final_.words);
  }

  // First letters keep their class, which the end of a cycle must meet again: each class with its reading is
  // a reading of its own here, beyond the others.
  void reduce(const Alphabet& alphabet, Budget& budget) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> known;
    std::vector<std::pair<std::int32_t, std::int32_t>> begins;
    Nfa whole{.states = static_cast<std::int32_t>(steps_.size()),
              .classes = alphabet.classes(),
              .initial = {0},
              .final = final_};
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      for (const Step& step : steps_[s]) {
        std::int32_t reading = step.reading;
        if (s == 0) {
          const std::pair begin(step.cls, step.reading);
          const auto [found, fresh] =
              known.emplace(begin, alphabet.readings() + static_cast<std::int32_t>(begins.size()));
          if (fresh) begins.push_back(begin);
          reading = found->second;
        }
        whole.edges.push_back({static_cast<std::int32_t>(s), reading, step.target});
      }
    }
    whole.readings = alphabet.readings() + static_cast<std::int32_t>(begins.size());
    body_ = reduced(whole, budget);
    for (const Edge& edge : body_.edges) {
      if (edge.reading < alphabet.readings()) continue;
      const auto [cls, reading] = begins[at(edge.reading - alphabet.readings())];
      first_.push_back({cls, reading, edge.target});
    }
    std::erase_if(body_.edges, [&](const Edge& edge) { return edge.reading >= alphabet.readings(); });
    body_.readings = alphabet.readings();
    keep_hardest(alphabet, budget);
  }

  // An edge is needless beside one with a harder reading, to a state that simulates its target: where the
  // right side fails on a word over the one, it fails on a word as long over the other.
  void keep_hardest(const Alphabet& alphabet, Budget& budget) {
    const BitRows above = simulation(body_, body_, budget);
    std::vector<Edge> kept;
    for (auto first = body_.edges.begin(), last = first; first != body_.edges.end(); first = last) {
      last = std::find_if(first, body_.edges.end(), [&](const Edge& edge) { return edge.source != first->source; });
      const auto beside = static_cast<std::uint64_t>(last - first);
      std::copy_if(first, last, std::back_inserter(kept), [&](const Edge& edge) {
        budget.spend(beside);
        return std::none_of(first, last, [&](const Edge& other) {
          return other != edge && test(above[at(edge.target)], at(other.target)) &&
                 alphabet.harder(other.reading, edge.reading) &&
                 (!test(above[at(other.target)], at(edge.target)) || !alphabet.harder(edge.reading, other.reading));
        });
      });
    }
    body_.edges = std::move(kept);
  }

  std::vector<First> first_;
  std::vector<Word> empty_words_;
  Nfa body_;
  // Before reduction, by source. State 0 is the beginning of words, and no step leads to it.
  std::vector<std::vector<Step>> steps_;
  BitRows final_;
};

}  // namespace porf::automata
