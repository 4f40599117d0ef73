// Which reads of its thread a value comes from, followed by registers and private memory from instruction to
// instruction: for models that order an access after what its value, its address, or its being there depends on.
//
// Beside the state of a thread, as many slots further on as its header says, each slot has its *origin*: a set of reads
// that its value was made of, and one of reads by which it was selected. Sets have numbers, the empty one is 0, and
// equal sets have the same. Reads are known by their index in the thread.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "explore/program.hpp"

namespace porf::explore {

class Machine;

class Dependencies {
 public:
  using Set = std::int32_t;

  // What an event depends on. Of an update, the data matter to what it writes.
  struct Of {
    Set addr = 0, data = 0, ctrl = 0;
    auto operator<=>(const Of&) const = default;
  };

  Dependencies();

  const std::vector<std::int32_t>& members(Set set) const { return sets_[static_cast<std::size_t>(set)]; }
  const Of& of(std::int32_t number) const { return of_[static_cast<std::size_t>(number)]; }

  // An instruction will run that makes no event, or its access is private.
  void pass(const Machine& machine, const Program& program, const Instruction& i, std::int64_t* state);
  // The thread has stopped at an instruction that makes an event: the number of what that depends on.
  std::int32_t of_event(const Instruction& i, std::int64_t* state);
  // The event, which has this index, sets its registers; an access of so many bytes.
  void finish(const Instruction& i, std::int64_t* state, std::int32_t index, std::uint8_t width);

 private:
  struct Origin {
    Set values = 0, picks = 0;
  };

  static std::int64_t* slots(std::int64_t* state);
  static Origin at(std::int64_t* state, std::int64_t slot);
  static void put(std::int64_t* state, std::int64_t slot, Origin origin);
  static Origin get(std::int64_t* state, std::int32_t operand);
  static void set(std::int64_t* state, std::int32_t reg, Origin origin);
  static void clear(std::int64_t* state, std::int64_t from, std::int64_t to);

  Set single(std::int32_t index);
  Set unite(Set a, Set b);
  Origin unite(Origin a, Origin b) { return {unite(a.values, b.values), unite(a.picks, b.picks)}; }
  Set whole(Origin origin) { return unite(origin.values, origin.picks); }
  void branch(std::int64_t* state, Origin on);
  void access_private(const Instruction& i, std::int64_t* state, std::int64_t pointer);
  Set number(std::vector<std::int32_t> members);

  std::vector<std::vector<std::int32_t>> sets_;
  std::map<std::vector<std::int32_t>, Set> numbers_;
  std::vector<Set> singles_;
  std::unordered_map<std::uint64_t, Set> unions_;
  std::vector<Of> of_;
  std::map<Of, std::int32_t> of_numbers_;
};

}  // namespace porf::explore
