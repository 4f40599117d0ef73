// How large the tables of an exploration are, and who explores under each engine: a source file each, so that they are
// compiled side by side.
#pragma once

#include "explore/explore.hpp"
#include "explore/frame.hpp"
#include "explore/machine.hpp"

namespace porf::explore {

class Sections;

// How large the tables are; an exploration that does not fit starts again with larger ones.
struct Sizes {
  std::int32_t threads = 8;
  std::int32_t writes = 0;  // 0 to 3: how often they have grown
  StackSize stack;
  bool gaps = false;             // whether what is between declared places is accessed with them
  Sections* sections = nullptr;  // what is known of critical sections, if those that commute are not put in order
};

StackSize first_stack(const Program& program);

// Makes the tables larger; false if they are as large as they may be.
bool enlarge(Sizes& sizes, const Grow& grow);

template <EngineKind kEngine>
Result explore_under(const Request& request, const Sizes& sizes);

#define PORF_ENGINE(engine, ...) \
  template <>                    \
  Result explore_under<EngineKind::engine>(const Request& request, const Sizes& sizes);
PORF_ENGINES(PORF_ENGINE)
#undef PORF_ENGINE

}  // namespace porf::explore
