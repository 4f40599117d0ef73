// The search of an inclusion: breadth first over pairs of a left state and a configuration of the right side,
// so that the first word found to be refused is a shortest one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "automata/antichain.hpp"
#include "automata/configuration.hpp"
#include "automata/left.hpp"

namespace porf::automata {

// Words are searched in kinds, by the class that they begin with.
struct Kind {
  std::vector<Word> first;         // the classes that its words begin with
  std::int32_t last = -1;          // words end with this class only, or one that nothing tells apart from it
  std::int32_t cycle = -1;         // words that end with this class end with the atom that they began with
  Configurations* configurations;  // what the right side does with them
};

struct Refused {
  std::vector<std::int32_t> readings;
  std::int32_t first, last;  // classes
};

class Search {
 public:
  // `held`: the bytes that are held besides. `above`: of each left state those that simulate it; `answers`:
  // the states of the plain right automaton that do.
  Search(const Left& left, std::vector<Kind> kinds, const BitRows& above, const std::vector<BitRows>& answers,
         std::uint64_t held, Budget& budget);

  // A word with letters that is refused; none if there is none, or the budget is spent.
  std::optional<Refused> run();
  std::uint64_t nodes() const { return nodes_.size(); }

 private:
  struct Node {
    std::int64_t parent;
    std::int32_t kind, state, reading, first;
  };

  bool begin(std::size_t kind);
  bool expand(std::size_t number);
  bool reach(const Node& node, const std::vector<Word>& row);
  std::int32_t refused_class(const Kind& kind, std::int32_t state, const Word* row) const;

  const Left& left_;
  std::vector<Kind> kinds_;
  std::vector<std::vector<const Word*>> answers_;  // by left state
  std::uint64_t held_;
  Budget& budget_;
  std::vector<std::size_t> first_edge_;    // by left state; edges stand sorted
  std::vector<std::vector<bool>> useful_;  // by kind: the states from which its words can end
  Antichain antichain_;
  std::vector<Node> nodes_;
  std::size_t open_ = 0, level_ = 0;  // the first node still to be expanded, and the first of the next level
  std::optional<Refused> refused_;
};

}  // namespace porf::automata
