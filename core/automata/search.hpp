// The search of an inclusion: breadth first over pairs of a left state and a configuration of the right side,
// so that the first word found to be refused is a shortest one.
#pragma once

#include <algorithm>
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
         std::uint64_t held, Budget& budget)
      : left_(left),
        kinds_(std::move(kinds)),
        answers_(at(left.body().states)),
        held_(held),
        budget_(budget),
        first_edge_(at(left.body().states) + 1),
        antichain_(above, at(left.body().states), kinds_.size()) {
    const Nfa& body = left.body();
    for (std::size_t s = 0; s < answers_.size(); ++s) {
      for (const BitRows& of_one : answers) answers_[s].push_back(of_one[s]);
    }
    for (const Edge& edge : body.edges) ++first_edge_[at(edge.source) + 1];
    for (std::size_t s = 1; s < first_edge_.size(); ++s) first_edge_[s] += first_edge_[s - 1];
    for (const Kind& kind : kinds_) {
      std::vector<std::int32_t> ends;
      for (std::int32_t s = 0; kind.last >= 0 && s < body.states; ++s) {
        if (test(body.final[at(s)], at(kind.last))) ends.push_back(s);
      }
      useful_.push_back(kind.last >= 0 ? reached(body, std::move(ends), true)
                                       : std::vector<bool>(at(body.states), true));
    }
  }

  // A word with letters that is refused; none if there is none, or the budget is spent.
  std::optional<Refused> run() {
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
      if (!begin(kind)) return refused_;
    }
    while (open_ < nodes_.size()) {
      if (open_ == level_) level_ = nodes_.size();
      if (!expand(open_++)) break;
    }
    return refused_;
  }

  std::uint64_t nodes() const { return nodes_.size(); }

 private:
  struct Node {
    std::int64_t parent;
    std::int32_t kind, state, reading, first;
  };

  // Reads first letters. False: it is over.
  bool begin(std::size_t kind) {
    Configurations& configurations = *kinds_[kind].configurations;
    std::vector<Word> row(configurations.width());
    configurations.begin(row.data());
    configurations.take(row.data());
    std::int32_t read = -1;
    for (const Left::First& first : left_.first()) {
      if (!test(kinds_[kind].first.data(), at(first.cls))) continue;
      if (first.reading != read && !budget_.spend(configurations.read(first.reading, row.data()))) return false;
      read = first.reading;
      if (!reach({-1, static_cast<std::int32_t>(kind), first.target, first.reading, first.cls}, row)) return false;
    }
    return true;
  }

  bool expand(std::size_t number) {
    const Packed* packed = antichain_.row(number);
    if (packed == nullptr) return true;
    const Node node = nodes_[number];
    Configurations& configurations = *kinds_[at(node.kind)].configurations;
    std::vector<Word> row(configurations.width());
    unpack(*packed, row.size(), row.data());
    configurations.take(row.data());
    std::int32_t read = -1;
    for (std::size_t i = first_edge_[at(node.state)]; i < first_edge_[at(node.state) + 1]; ++i) {
      const Edge& edge = left_.body().edges[i];
      if (!useful_[at(node.kind)][at(edge.target)]) continue;
      if (edge.reading != read && !budget_.spend(configurations.read(edge.reading, row.data()))) return false;
      read = edge.reading;
      if (!reach({static_cast<std::int64_t>(number), node.kind, edge.target, edge.reading, node.first}, row))
        return false;
    }
    return true;
  }

  // A pair that the search comes to. False: it is over.
  bool reach(const Node& node, const std::vector<Word>& row) {
    const Kind& kind = kinds_[at(node.kind)];
    if (!useful_[at(node.kind)][at(node.state)] || kind.configurations->led_to(row.data(), answers_[at(node.state)]))
      return true;
    const std::int64_t number =
        antichain_.add(at(node.kind), at(node.state), pack(row.data(), row.size()), open_, level_);
    if (!budget_.spend(1 + antichain_.take_compared()) || !budget_.hold(held_ + antichain_.bytes())) return false;
    if (number < 0) return true;
    nodes_.push_back(node);
    const std::int32_t last = refused_class(kind, node.state, row.data());
    if (last < 0) return true;
    refused_ = Refused{{}, node.first, kind.last < 0 ? last : node.first};
    for (std::int64_t i = number; i >= 0; i = nodes_[i].parent) refused_->readings.push_back(nodes_[i].reading);
    std::reverse(refused_->readings.begin(), refused_->readings.end());
    return false;
  }

  // A class with which a left word ends here and that the right side refuses, or -1.
  std::int32_t refused_class(const Kind& kind, std::int32_t state, const Word* row) const {
    const BitRows& final = left_.body().final;
    std::int32_t refused = -1;
    for_each_bit(final[at(state)], final.words, [&](std::size_t c) {
      const auto cls = static_cast<std::int32_t>(c);
      if (refused >= 0 || (kind.last >= 0 && cls != kind.last)) return;
      if (!kind.configurations->accepts(row, cls, cls == kind.cycle)) refused = cls;
    });
    return refused;
  }

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
