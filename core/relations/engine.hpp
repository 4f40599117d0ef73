// Runs a relation program on one execution under a modification order that may change; what does not depend
// on that order is computed once.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "budget.hpp"
#include "relations/base.hpp"
#include "relations/matrix.hpp"
#include "relations/program.hpp"

namespace porf::relations {

// A recursion that does not settle (only possible where it is not monotone).
struct Unsettled : std::runtime_error {
  explicit Unsettled(std::int32_t instruction)
      : std::runtime_error("register " + std::to_string(instruction) + " does not settle") {}
};

// The budget ended in the middle of a large operation.
struct Spent {};

class Engine {
 public:
  Engine(const Program& program, const Events& events);

  // The events were assigned anew.
  void renew();

  // From here on, large operations spend from this budget and throw Spent at its end.
  void watch(Budget* budget) { budget_ = budget; }
  void pulse() {
    if (shape_.words > kSmall && budget_ != nullptr && !budget_->spend(1 + shape_.size() / 4096)) throw Spent{};
  }
  // The same for a step that is made of many operations, whatever their size.
  void spend(std::size_t words) {
    if (budget_ != nullptr && !budget_->spend(1 + words / 4096)) throw Spent{};
  }
  // Closes the modification order transitively.
  void close_order() {
    close_transitively(shape_, mo_.data(), [this] { pulse(); });
  }

  const Shape& shape() const { return shape_; }
  const Events& events() const { return events_; }
  const Program& program() const { return program_; }

  // The modification order, transitively closed; whoever changes it keeps it so.
  Word* mo() { return mo_.data(); }
  const Word* mo() const { return mo_.data(); }
  void reset_order() { events_.initial_order(mo_.data()); }

  void run_static();
  // The first broken axiom among those that are not flagged, or -1. `partial`: mo is not total yet, so only
  // axioms that more mo cannot mend count.
  std::int32_t first_broken(bool partial);
  // Evaluates everything (after the first time: everything that uses mo); every register is then readable.
  void run_all();
  bool broken(std::int32_t axiom);
  const Word* get(std::int32_t reg) const { return registers_.data() + offset_[reg]; }
  // Evaluates what stands between a kMember and its kGather for one event; the gathered union stays as it is.
  void focus(std::int32_t gather, std::size_t event);

 private:
  static constexpr std::size_t kSmall = 4;  // words of a row: below, no operation is long enough to interrupt

  void run(const std::vector<std::int32_t>& instructions);
  void execute(std::int32_t at);
  void execute_pointwise(const Instruction& i, Word* out, std::size_t size);
  void from_read(Word* out);
  // Adds what was found for one event, and turns to the next; false after the last.
  bool gather(std::int32_t at);
  Word* reg(std::int32_t r) { return registers_.data() + offset_[r]; }
  std::size_t size_of(std::int32_t r) const { return program_.code[r].kind == 1 ? shape_.words : shape_.size(); }

  const Program& program_;
  const Events& events_;
  Budget* budget_ = nullptr;
  Shape shape_;
  std::vector<std::size_t> offset_;
  std::vector<Word> registers_;
  std::vector<Word> mo_, rf_, read_from_;  // read_from_: rf backwards, for fr
  std::vector<Word> full_;                 // the row of all events
  std::vector<Word> scratch_;
  std::vector<std::int32_t> dynamic_;  // what run_all repeats
  bool complete_ = false;
  std::vector<char> changed_;  // a recursion's block
  std::size_t shrinks_ = 0;    // updates of a recursion that lost pairs
};

}  // namespace porf::relations
