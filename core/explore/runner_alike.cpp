// Of a runner: which threads nothing tells apart when they begin.
#include <algorithm>

#include "explore/courses.hpp"
#include "explore/runner.hpp"

namespace porf::explore {

namespace {

// So many may be alike: the number of their permutations has a word.
constexpr std::int32_t kMostAlike = 20;

}  // namespace

// A thread as the one before another that is like it; -1 if there are too many of them already, or if mutexes are
// divided, which symmetry does not know of.
std::int32_t Runner::as_earlier(const Graph& g, std::int32_t thread) {
  alike_ = true;
  if (sections_ != nullptr) return -1;
  std::int32_t count = 1;
  for (std::int32_t t = g.alike[thread]; t >= 0; t = g.alike[t]) ++count;
  if (count == kMostAlike) return -1;
  symmetric_ = true;
  return thread;
}

// The last thread before one of the first threads that does the same, if nobody looks at what their registers hold.
std::int32_t Runner::like_start(const Graph& g, std::size_t start) {
  const Start& mine = program_.starts[start];
  auto watched = [&](std::size_t t) {
    auto is_it = [&](const Watch& w) { return static_cast<std::size_t>(w.thread) == t; };
    return std::any_of(program_.watched.begin(), program_.watched.end(), is_it);
  };
  if (!roles_ || watched(start)) return -1;
  for (std::size_t t = start; t-- > 0;) {
    const Start& other = program_.starts[t];
    if (!roles_->same(other.code, mine.code) || watched(t)) continue;
    if (!courses_->same(mine.code, other.arguments, mine.arguments)) continue;
    return as_earlier(g, static_cast<std::int32_t>(t));
  }
  return -1;
}

// The last thread that does the same as the one that an event starts, of those that were started right before it.
std::int32_t Runner::like_spawned(const Graph& g, std::int32_t e) {
  if (!roles_) return -1;
  auto code = static_cast<std::int32_t>(g[e].written);
  auto arguments = [&](std::int32_t spawn) {
    const std::int64_t* state = g.state_before(spawn);
    Courses::Arguments values(static_cast<std::size_t>(program_.templates[code].parameters));
    const std::vector<std::int32_t>& operands = machine_.arguments(program_.code[g[spawn].pc], state);
    for (std::size_t n = 0; n < std::min(values.size(), operands.size()); ++n)
      values[n] = machine_.operand(state, operands[n]);
    return values;
  };
  for (std::int32_t f = g[e].prev; f >= 0 && g[f].op == kSpawnOp; f = g[f].prev) {
    if (!roles_->same(code, static_cast<std::int32_t>(g[f].written))) continue;
    if (!courses_->same(code, arguments(f), arguments(e))) continue;
    return as_earlier(g, g[f].other);
  }
  return -1;
}

}  // namespace porf::explore
