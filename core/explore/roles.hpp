// Which threads of a program run the same code, and cannot know which of several they are.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "explore/program.hpp"

namespace porf::explore {

struct Roles {
  // Template -> the first one that has the same code. -1 if its threads may know which of several they are: the code,
  // or what it calls, asks for a thread's number, starts or joins one, or waits at a barrier, which lets one go on in
  // another way than the rest.
  std::vector<std::int32_t> code;
  std::vector<std::int32_t> pc;  // instruction -> the same one in that template

  bool same(std::int32_t a, std::int32_t b) const { return code[a] >= 0 && code[a] == code[b]; }
};

// Nothing if no two threads can be alike.
std::optional<Roles> roles_of(const Program& program);

}  // namespace porf::explore
