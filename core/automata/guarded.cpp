// Guarded automata from columns that nobody has checked.
#include "automata/guarded.hpp"

#include <stdexcept>

namespace porf::automata {
namespace {

std::int32_t counted(std::int32_t count) {
  if (count < 0) throw std::invalid_argument("automaton: a count below 0");
  return count;
}

std::vector<std::int32_t> indices(std::span<const std::int32_t> column, std::int32_t end) {
  for (std::int32_t at : column) {
    if (at < 0 || at >= end) throw std::invalid_argument("automaton: a column names what is not there");
  }
  return {column.begin(), column.end()};
}

}  // namespace

BitRows atom_sets(std::span<const Word> words, std::int32_t rows, std::int32_t atoms) {
  BitRows sets(static_cast<std::size_t>(rows), static_cast<std::size_t>(atoms));
  if (words.size() != sets.data.size()) throw std::invalid_argument("sets of atoms: a wrong number of words");
  sets.data.assign(words.begin(), words.end());
  if (atoms % 64 != 0) {
    for (std::size_t at = sets.words - 1; at < sets.data.size(); at += sets.words)
      sets.data[at] &= (Word{1} << (atoms % 64)) - 1;
  }
  return sets;
}

GuardedAutomaton::GuardedAutomaton(std::int32_t state_count, std::int32_t atom_count,
                                   std::span<const std::int32_t> initials, std::span<const std::int32_t> sources,
                                   std::span<const std::int32_t> letters, std::span<const std::int32_t> targets,
                                   std::span<const Word> guards, std::span<const Word> finals)
    : states(counted(state_count)),
      atoms(counted(atom_count)),
      initial(indices(initials, states)),
      source(indices(sources, states)),
      letter(indices(letters, INT32_MAX)),
      target(indices(targets, states)) {
  if (letter.size() != source.size() || target.size() != source.size())
    throw std::invalid_argument("automaton: columns of different lengths");
  guard = atom_sets(guards, static_cast<std::int32_t>(source.size()), atoms);
  final = atom_sets(finals, states, atoms);
}

}  // namespace porf::automata
