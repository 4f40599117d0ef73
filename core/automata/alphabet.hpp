// The alphabet of one inclusion. Atoms that no set of the question tells apart are one class. A symbol is a
// class and a letter of the left; symbols that enable the same transitions on the right are one reading.
#pragma once

#include <cstdint>
#include <vector>

#include "automata/inclusion.hpp"
#include "automata/nfa.hpp"

namespace porf::automata {

class Alphabet {
 public:
  // The budget is told of the work, so that it can poll; an alphabet is always made to its end.
  Alphabet(const Question& question, Budget& budget);

  std::int32_t classes() const { return static_cast<std::int32_t>(atoms_.size()); }
  std::int32_t readings() const { return static_cast<std::int32_t>(first_class_.size()); }
  const std::vector<std::int32_t>& atoms(std::int32_t cls) const {
    return atoms_[static_cast<std::size_t>(cls)];
  }
  // -1 if the class is outside the letter's domain, or no left transition has the letter.
  std::int32_t reading(std::int32_t cls, std::int32_t letter) const {
    return reading_[static_cast<std::size_t>(cls) * letters_ + static_cast<std::size_t>(letter)];
  }
  // Some class of a reading; right automata that rotate have it in the same final sets as the other ones.
  std::int32_t class_of(std::int32_t reading) const {
    return first_class_[static_cast<std::size_t>(reading)];
  }

  // Whether all that the right side can do with reading a, it can do with reading b.
  bool harder(std::int32_t a, std::int32_t b) const {
    const std::vector<Word>&less = can_[static_cast<std::size_t>(a)],
          &more = can_[static_cast<std::size_t>(b)];
    return within(less.data(), more.data(), less.size());
  }

  // A set of atoms as a set of classes.
  void to_classes(const Word* atoms, Word* classes) const;

  // The right automaton of this number over readings.
  Nfa over_readings(const Question& question, std::size_t number) const;

 private:
  void part_atoms(const Question& question, Budget& budget);
  void part_symbols(const Question& question, Budget& budget);

  std::size_t letters_;
  std::vector<std::vector<std::int32_t>> atoms_;
  std::vector<std::int32_t> reading_, first_class_;
  // Of a reading: the transitions that it enables, of all right automata in a row, then the final states of
  // those that rotate.
  std::vector<std::vector<Word>> can_;
};

}  // namespace porf::automata
