// The alphabet of one inclusion. Atoms that no set of the question tells apart are one class. A symbol is a
// class and a letter of the left; symbols that enable the same transitions on the right are one reading.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "automata/inclusion.hpp"
#include "automata/nfa.hpp"

namespace porf::automata {

// Classes come by splitting, set after set; readings by the set of transitions that a symbol enables.
class Alphabet {
 public:
  // The budget is told of the work, so that it can poll; an alphabet is always made to its end.
  Alphabet(const Question& question, Budget& budget) : letters_(at(question.letters)) {
    part_atoms(question, budget);
    part_symbols(question, budget);
  }

  std::int32_t classes() const { return static_cast<std::int32_t>(atoms_.size()); }
  std::int32_t readings() const { return static_cast<std::int32_t>(first_class_.size()); }
  const std::vector<std::int32_t>& atoms(std::int32_t cls) const { return atoms_[cls]; }
  // -1 if the class is outside the letter's domain, or no left transition has the letter.
  std::int32_t reading(std::int32_t cls, std::int32_t letter) const {
    return reading_[static_cast<std::size_t>(cls) * letters_ + static_cast<std::size_t>(letter)];
  }
  // Some class of a reading; right automata that rotate have it in the same final sets as the other ones.
  std::int32_t class_of(std::int32_t reading) const { return first_class_[reading]; }

  // Whether all that the right side can do with reading a, it can do with reading b.
  bool harder(std::int32_t a, std::int32_t b) const {
    const std::vector<Word>&less = can_[a], &more = can_[b];
    return within(less.data(), more.data(), less.size());
  }

  // A set of atoms as a set of classes.
  void to_classes(const Word* atoms, Word* classes) const {
    for (std::size_t c = 0; c < atoms_.size(); ++c) {
      if (test(atoms, at(atoms_[c].front()))) set(classes, c);
    }
  }

  // The right automaton of this number over readings.
  Nfa over_readings(const Question& question, std::size_t number) const {
    const GuardedAutomaton& automaton = *question.right[number];
    std::size_t base = 0;
    for (std::size_t i = 0; i < number; ++i) base += question.right[i]->source.size();
    Nfa out{.states = automaton.states,
            .readings = readings(),
            .classes = classes(),
            .initial = automaton.initial,
            .final = BitRows(at(automaton.states), at(classes()))};
    for (std::int32_t r = 0; r < readings(); ++r) {
      for (std::size_t t = 0; t < automaton.source.size(); ++t) {
        if (test(can_[at(r)].data(), base + t)) out.edges.push_back({automaton.source[t], r, automaton.target[t]});
      }
    }
    for (std::size_t s = 0; s < at(automaton.states); ++s) to_classes(automaton.final[s], out.final[s]);
    return out;
  }

 private:
  void part_atoms(const Question& question, Budget& budget) {
    std::vector<std::int32_t> part(at(question.left->atoms));
    std::int32_t parts = part.empty() ? 0 : 1;
    auto split = [&](const BitRows& sets) {
      for (std::size_t row = 0; sets.words != 0 && row * sets.words < sets.data.size(); ++row) {
        budget.spend(part.size());
        std::vector<std::int32_t> apart(at(parts), -1);  // the new name of the members of a part
        std::vector<std::int32_t> members(at(parts)), inside(at(parts));
        for (std::size_t atom = 0; atom < part.size(); ++atom) {
          ++members[at(part[atom])];
          inside[at(part[atom])] += test(sets[row], atom);
        }
        for (std::size_t atom = 0; atom < part.size(); ++atom) {
          const std::size_t old = at(part[atom]);
          if (!test(sets[row], atom) || inside[old] == members[old]) continue;
          if (apart[old] < 0) apart[old] = parts++;
          part[atom] = apart[old];
        }
      }
    };
    for (const BitRows* sets : {&question.left->guard, &question.left->final, &question.domain, &question.range})
      split(*sets);
    for (const GuardedAutomaton* automaton : question.right) {
      split(automaton->guard);
      split(automaton->final);
    }
    atoms_.resize(at(parts));
    for (std::size_t atom = 0; atom < part.size(); ++atom)
      atoms_[at(part[atom])].push_back(static_cast<std::int32_t>(atom));
  }

  void part_symbols(const Question& question, Budget& budget) {
    std::size_t transitions = 0, finals = 0;
    for (std::size_t i = 0; i < question.right.size(); ++i) {
      transitions += question.right[i]->source.size();
      if (question.rotate[i]) finals += at(question.right[i]->states);
    }
    BitRows by_class(at(classes()), transitions), final_in(at(classes()), finals), by_letter(letters_, transitions);
    std::size_t transition = 0, state = 0;
    for (std::size_t i = 0; i < question.right.size(); ++i) {
      const GuardedAutomaton& automaton = *question.right[i];
      for (std::size_t t = 0; t < automaton.source.size(); ++t, ++transition) {
        budget.spend(atoms_.size() + letters_);
        for (std::size_t c = 0; c < atoms_.size(); ++c) {
          if (test(automaton.guard[t], at(atoms_[c].front()))) set(by_class[c], transition);
        }
        for (std::size_t r = 0; r < letters_; ++r) {
          if (question.below[r * letters_ + at(automaton.letter[t])] != 0) set(by_letter[r], transition);
        }
      }
      for (std::int32_t s = 0; question.rotate[i] && s < automaton.states; ++s, ++state) {
        for (std::size_t c = 0; c < atoms_.size(); ++c) {
          if (test(automaton.final[at(s)], at(atoms_[c].front()))) set(final_in[c], state);
        }
      }
    }
    std::vector<bool> used(letters_);
    for (std::int32_t r : question.left->letter) used[at(r)] = true;
    reading_.assign(atoms_.size() * letters_, -1);
    std::map<std::vector<Word>, std::int32_t> known;
    for (std::size_t c = 0; c < atoms_.size(); ++c) {
      for (std::size_t r = 0; r < letters_; ++r) {
        if (!used[r] || !test(question.domain[r], at(atoms_[c].front()))) continue;
        std::vector<Word> key(by_class[c], by_class[c] + by_class.words);
        for (std::size_t w = 0; w < key.size(); ++w) key[w] &= by_letter[r][w];
        key.insert(key.end(), final_in[c], final_in[c] + final_in.words);
        const auto [found, fresh] = known.emplace(key, readings());
        budget.spend(key.size());
        if (fresh) {
          can_.push_back(std::move(key));
          first_class_.push_back(static_cast<std::int32_t>(c));
        }
        reading_[c * letters_ + r] = found->second;
      }
    }
  }

  std::size_t letters_;
  std::vector<std::vector<std::int32_t>> atoms_;
  std::vector<std::int32_t> reading_, first_class_;
  // Of a reading: the transitions that it enables, of all right automata in a row, then the final states of
  // those that rotate.
  std::vector<std::vector<Word>> can_;
};

}  // namespace porf::automata
