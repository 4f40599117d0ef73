// The table of bugs: everything that is said of a kind of bug stands in its row. What finds a bug only names its kind;
// porf.exploration puts the words of the execution at hand in place of those in braces (its words.py).
#pragma once

#include <cstdint>

namespace porf::explore {

// Who is to blame, and so which part of the execution a report shows.
enum class Blame : std::uint8_t {
  kThread,       // one thread; what comes before its last event is shown
  kTwoEvents,    // two events that conflict; what comes before either of them is shown
  kExecution,    // a thread, but only the whole execution shows why
  kNobody,       // the final state of the whole execution is at fault
  kUnsupported,  // one thread, or two events, do what no model here explains: that is neither a bug nor none
};

// New kinds come last, for replay tokens hold their numbers.
// X(kind, its name in Python, its name in reports, blame, message, the step that fails if that is no event)
// clang-format off
#define PORF_BUGS(X)                                                                                              \
  X(kAssertion, ASSERTION, "assertion", kThread,                                                                  \
    "assertion failed{assertion}", "assertion fails")                                                             \
  X(kRace, RACE, "data race", kTwoEvents,                                                                         \
    "{race}, and neither happens before the other", "")                                                           \
  X(kDeadlock, DEADLOCK, "deadlock", kExecution,                                                                  \
    "{waiting}", "")                                                                                              \
  X(kUninitialised, UNINITIALISED, "uninitialised read", kThread,                                                 \
    "{last_place} is read before anything is written to it", "")                                                  \
  X(kNowhere, NOWHERE, "invalid pointer", kThread,                                                                \
    "{nowhere}", "{access} {pointer}")                                                                            \
  X(kOutOfBounds, OUT_OF_BOUNDS, "out of bounds", kThread,                                                        \
    "{outside}", "{access} {pointer}")                                                                            \
  X(kMisaligned, MISALIGNED, "misaligned access", kThread,                                                        \
    "{place} is not aligned to {width} bytes", "{access} {pointer}")                                              \
  X(kMixedWidth, MIXED_WIDTH, "mixed-size access", kUnsupported,                                                  \
    "{race} with another width at the same time, which no model here explains", "")                                \
  X(kNotHeld, NOT_HELD, "unlock of a mutex not held", kThread,                                                    \
    "{function} unlocks {place} without holding it", "unlock {place}")                                            \
  X(kDivision, DIVISION, "division by zero", kThread,                                                             \
    "division by zero", "division by zero")                                                                       \
  X(kNoThread, NO_THREAD, "join of no thread", kThread,                                                           \
    "what is joined is not a thread", "join")                                                                     \
  X(kEndless, ENDLESS, "endless loop", kThread,                                                                   \
    "{function} runs forever without touching shared memory", "loops forever")                                    \
  X(kDangling, DANGLING, "use after free", kTwoEvents,                                                            \
    "{dangling}", "{last_use}")                                                                                   \
  X(kTwiceFreed, TWICE_FREED, "double free", kTwoEvents,                                                          \
    "{dangling}", "{last_use}")                                                                                   \
  X(kNotHeap, NOT_HEAP, "invalid free", kThread,                                                                  \
    "{pointer} is freed, but it was not allocated by malloc", "free {pointer}")                                   \
  X(kNoFunction, NO_FUNCTION, "call of no function", kThread,                                                     \
    "{pointer} is called, but it is not a function", "call {pointer}")                                            \
  X(kLeak, LEAK, "memory leak", kExecution,                                                                       \
    "{object} is never freed", "")                                                                                \
  X(kCrowded, CROWDED, "crowded barrier", kUnsupported,                                                           \
    "more threads wait at the barrier {place} than it was initialised for", "wait at {place}")                    \
  X(kNoBarrier, NO_BARRIER, "wait at no barrier", kThread,                                                        \
    "{function} waits at {place}, which is not initialised, or was destroyed", "wait at {place}")                 \
  X(kUnknown, UNKNOWN, "unpublished memory", kThread,                                                             \
    "{last_access}, and nothing ensures that this happens after its allocation", "")                              \
  X(kSize, SIZE, "invalid size", kThread,                                                                         \
    "an object of {size} bytes is requested", "allocation")                                                       \
  X(kCondition, CONDITION, "condition", kNobody,                                                                  \
    "an execution ends with {state}", "")                                                                         \
  X(kUnsupported, UNSUPPORTED, "unsupported", kUnsupported,                                                       \
    "{message}", "{message}")                                                                                     \
  X(kIndeterminate, INDETERMINATE, "indeterminate value", kThread,                                                \
    "{unset} is used, but it was never set", "use of a value that was never set")                                 \
  X(kBeyond, BEYOND, "pointer out of bounds", kThread,                                                            \
    "a pointer is moved out of its object, to {pointer}", "pointer arithmetic")                                   \
  X(kOverflow, OVERFLOW, "signed overflow", kThread,                                                              \
    "the result of signed arithmetic does not fit its type", "arithmetic")                                        \
  X(kShift, SHIFT, "invalid shift", kThread,                                                                      \
    "a shift by a negative or too large number of bits, or of a negative number, or of a bit into the sign",      \
    "shift")                                                                                                      \
  X(kIndex, INDEX, "index out of bounds", kThread,                                                                \
    "an array is accessed outside its bounds", "array access")                                                    \
  X(kInvalidValue, INVALID_VALUE, "invalid value", kThread,                                                       \
    "a bool or an enumeration has a value that its type does not have", "load")                                   \
  X(kUnreachable, UNREACHABLE, "unreachable code", kThread,                                                       \
    "code is reached that the program says is unreachable", "unreachable code")                                   \
  X(kNoReturn, NO_RETURN, "missing return", kThread,                                                              \
    "{function} ends without returning a value", "end of the function")                                           \
  X(kArraySize, ARRAY_SIZE, "invalid array size", kThread,                                                        \
    "the size of an array is not positive", "declaration")                                                        \
  X(kNullArgument, NULL_ARGUMENT, "null argument", kThread,                                                       \
    "null is given to a function that must not get it", "call")                                                   \
  X(kConversion, CONVERSION, "invalid conversion", kThread,                                                       \
    "a floating-point number is converted to a type that does not have its value", "conversion")                  \
  X(kBuiltin, BUILTIN, "invalid builtin", kThread,                                                                \
    "a builtin function of the compiler is given 0, for which it is not defined", "call")                         \
  X(kOverlap, OVERLAP, "overlapping copy", kThread,                                                               \
    "memory is copied to a place that overlaps with it: memmove does that, memcpy does not", "memcpy")            \
  X(kQuotient, QUOTIENT, "invalid division", kThread,                                                             \
    "a division by zero, or one whose result does not fit its type", "division")                                  \
  X(kConstant, CONSTANT, "write to a constant", kThread,                                                          \
    "{place} is a constant, and is written to", "{access} {pointer}")                                             \
  X(kWrongType, WRONG_TYPE, "call of another type", kThread,                                                      \
    "a function is called through a pointer of another type", "call")
// clang-format on

enum class Bug : std::uint8_t {
  kNone,
#define PORF_BUG(kind, ...) kind,
  PORF_BUGS(PORF_BUG)
#undef PORF_BUG
};

struct BugFacts {
  const char* name;
  Blame blame;
  const char* message;
  const char* end;
};

constexpr BugFacts facts_of(Bug bug) {
  switch (bug) {
#define PORF_BUG(kind, python, name, blame, message, end) \
  case Bug::kind:                                         \
    return {name, Blame::blame, message, end};
    PORF_BUGS(PORF_BUG)
#undef PORF_BUG
    case Bug::kNone:
      break;
  }
  return {"", Blame::kNobody, "", ""};
}

}  // namespace porf::explore
