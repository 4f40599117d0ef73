// Whether two threads with different arguments do the same: every decision comes out alike in both, and nothing else
// depends on the arguments.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "explore/program.hpp"

namespace porf::explore {

class Courses {
 public:
  explicit Courses(const Program& program) : program_(program) {}

  using Arguments = std::vector<std::int64_t>;

  // Of two threads that run a template, given the arguments of each.
  bool same(std::int32_t code, const Arguments& mine, const Arguments& others);

 private:
  // What a register holds in one thread and in the other. If that is not a pair, it can be anything.
  struct Value {
    bool pair = false;
    std::int64_t mine = 0, others = 0;
    bool operator==(const Value&) const = default;
  };
  using Different = std::map<std::int32_t, Value>;  // the registers that may differ

  struct Step;

  bool follow(std::int32_t code, const Different& parameters, int depth);
  bool step(const Instruction& i, Step& at, int depth);
  bool call(const Instruction& i, Step& at, int depth);

  const Program& program_;
  std::map<std::tuple<std::int32_t, Arguments, Arguments>, bool> known_;
};

}  // namespace porf::explore
