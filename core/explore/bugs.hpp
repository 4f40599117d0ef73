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
// X(kind, its name in Python, its name in reports, blame, what it is, message, the step that fails if that is no event)
// clang-format off
#define PORF_BUGS(X)                                                                                              \
  X(kAssertion, ASSERTION, "assertion", kThread,                                                                  \
    "an assertion that is false, a call of abort, an end of the program that is an error",                        \
    "assertion failed{assertion}", "assertion fails")                                                             \
  X(kRace, RACE, "data race", kTwoEvents,                                                                         \
    "two unordered accesses of one place, at least one a write, and at least one not atomic",                     \
    "{race}, and neither happens before the other", "")                                                           \
  X(kDeadlock, DEADLOCK, "deadlock", kExecution,                                                                  \
    "threads wait for mutexes, signals, semaphores, barriers or each other, and none can go on",                  \
    "{waiting}", "")                                                                                              \
  X(kUninitialised, UNINITIALISED, "uninitialised read", kThread,                                                 \
    "a read of an object of the program form that was declared uninitialised and never written",                  \
    "{last_place} is read before anything is written to it", "")                                                  \
  X(kNowhere, NOWHERE, "invalid pointer", kThread,                                                                \
    "an access through the null pointer, or through a number that is no address",                                 \
    "{nowhere}", "{access} {pointer}")                                                                            \
  X(kOutOfBounds, OUT_OF_BOUNDS, "out of bounds", kThread,                                                        \
    "an access outside the object that a pointer points to",                                                      \
    "{outside}", "{access} {pointer}")                                                                            \
  X(kMisaligned, MISALIGNED, "misaligned access", kThread,                                                        \
    "an access at an address that is not aligned for its type",                                                   \
    "{place} is not aligned to {width} bytes", "{access} {pointer}")                                              \
  X(kMixedWidth, MIXED_WIDTH, "mixed-size access", kUnsupported,                                                  \
    "concurrent accesses of one place as a whole and in part",                                                    \
    "{race} with another width at the same time, which no model here explains", "")                               \
  X(kNotHeld, NOT_HELD, "unlock of a mutex not held", kThread,                                                    \
    "a mutex is unlocked by a thread that does not hold it",                                                      \
    "{function} unlocks {place} without holding it", "unlock {place}")                                            \
  X(kDivision, DIVISION, "division by zero", kThread,                                                             \
    "a division or remainder by zero",                                                                            \
    "division by zero", "division by zero")                                                                       \
  X(kNoThread, NO_THREAD, "join of no thread", kThread,                                                           \
    "a thread is joined that does not exist, or that was joined already",                                         \
    "what is joined is not a thread", "join")                                                                     \
  X(kEndless, ENDLESS, "endless loop", kThread,                                                                   \
    "local code loops forever without touching shared memory",                                                    \
    "{function} runs forever without touching shared memory", "loops forever")                                    \
  X(kDangling, DANGLING, "use after free", kTwoEvents,                                                            \
    "an access to memory that was freed, or to a variable whose function or block has ended",                     \
    "{dangling}", "{last_use}")                                                                                   \
  X(kTwiceFreed, TWICE_FREED, "double free", kTwoEvents,                                                          \
    "memory is freed twice",                                                                                      \
    "{dangling}", "{last_use}")                                                                                   \
  X(kNotHeap, NOT_HEAP, "invalid free", kThread,                                                                  \
    "something is freed that malloc has not returned",                                                            \
    "{pointer} is freed, but it was not allocated by malloc", "free {pointer}")                                   \
  X(kNoFunction, NO_FUNCTION, "call of no function", kThread,                                                     \
    "a call through a pointer that points to no function",                                                        \
    "{pointer} is called, but it is not a function", "call {pointer}")                                            \
  X(kLeak, LEAK, "memory leak", kExecution,                                                                       \
    "with --leaks: memory that is not freed in a complete execution",                                             \
    "{object} is never freed", "")                                                                                \
  X(kCrowded, CROWDED, "crowded barrier", kUnsupported,                                                           \
    "more threads wait at a barrier than it was created for",                                                     \
    "more threads wait at the barrier {place} than it was initialised for", "wait at {place}")                    \
  X(kNoBarrier, NO_BARRIER, "wait at no barrier", kThread,                                                        \
    "a thread waits at a barrier that is not initialised",                                                        \
    "{function} waits at {place}, which is not initialised, or was destroyed", "wait at {place}")                 \
  X(kUnknown, UNKNOWN, "unpublished memory", kThread,                                                             \
    "an access to allocated memory by a thread that cannot know of it: nothing orders the two",                   \
    "{last_access}, and nothing ensures that this happens after its allocation", "")                              \
  X(kSize, SIZE, "invalid size", kThread,                                                                         \
    "an object of an impossible size or alignment is requested",                                                  \
    "an object of {size} bytes is requested", "allocation")                                                       \
  X(kCondition, CONDITION, "condition", kNobody,                                                                  \
    "a final state that the condition of a litmus test excludes",                                                 \
    "an execution ends with {state}", "")                                                                         \
  X(kUnsupported, UNSUPPORTED, "unsupported", kUnsupported,                                                       \
    "an execution reaches a part of C or C++, or a library function, that porf does not know",                    \
    "{message}", "{message}")                                                                                     \
  X(kIndeterminate, INDETERMINATE, "indeterminate value", kThread,                                                \
    "a value that was never set decides a branch, an address, an assertion or output; copying is no use",         \
    "{unset} is used, but it was never set", "use of a value that was never set")                                 \
  X(kBeyond, BEYOND, "pointer out of bounds", kThread,                                                            \
    "a pointer is moved outside its object (one past its end is inside), whether or not it is used",              \
    "a pointer is moved out of its object, to {pointer}", "pointer arithmetic")                                   \
  X(kOverflow, OVERFLOW, "signed overflow", kThread,                                                              \
    "the result of signed arithmetic does not fit its type",                                                      \
    "the result of signed arithmetic does not fit its type", "arithmetic")                                        \
  X(kShift, SHIFT, "invalid shift", kThread,                                                                      \
    "a shift by a negative number, or by the width or more; in C, also of a negative number or into the sign",    \
    "a shift by a negative or too large number of bits, or of a negative number, or of a bit into the sign",      \
    "shift")                                                                                                      \
  X(kIndex, INDEX, "index out of bounds", kThread,                                                                \
    "an array is indexed outside its bounds, also within a structure or a row",                                   \
    "an array is accessed outside its bounds", "array access")                                                    \
  X(kInvalidValue, INVALID_VALUE, "invalid value", kThread,                                                       \
    "a bool that is neither 0 nor 1; in C++, an enumeration with a number outside its values",                    \
    "a bool or an enumeration has a value that its type does not have", "load")                                   \
  X(kUnreachable, UNREACHABLE, "unreachable code", kThread,                                                       \
    "code is reached that was declared unreachable",                                                              \
    "code is reached that the program says is unreachable", "unreachable code")                                   \
  X(kNoReturn, NO_RETURN, "missing return", kThread,                                                              \
    "in C++, the end of a function that should return a value; in C, the use of that value",                      \
    "{function} ends without returning a value", "end of the function")                                           \
  X(kArraySize, ARRAY_SIZE, "invalid array size", kThread,                                                        \
    "an array of variable length has no elements, or fewer",                                                      \
    "the size of an array is not positive", "declaration")                                                        \
  X(kNullArgument, NULL_ARGUMENT, "null argument", kThread,                                                       \
    "null is given to a function that must not get it",                                                           \
    "null is given to a function that must not get it", "call")                                                   \
  X(kConversion, CONVERSION, "invalid conversion", kThread,                                                       \
    "a floating-point number is converted to a type that does not have its value",                                \
    "a floating-point number is converted to a type that does not have its value", "conversion")                  \
  X(kBuiltin, BUILTIN, "invalid builtin", kThread,                                                                \
    "a builtin function of the compiler is given 0, for which it is not defined",                                 \
    "a builtin function of the compiler is given 0, for which it is not defined", "call")                         \
  X(kOverlap, OVERLAP, "overlapping copy", kThread,                                                               \
    "memory is copied to a place that overlaps with it, other than by memmove",                                   \
    "memory is copied to a place that overlaps with it: memmove does that, memcpy does not", "memcpy")            \
  X(kQuotient, QUOTIENT, "invalid division", kThread,                                                             \
    "a division by zero, or one whose result does not fit its type",                                              \
    "a division by zero, or one whose result does not fit its type", "division")                                  \
  X(kConstant, CONSTANT, "write to a constant", kThread,                                                          \
    "a write to a constant or to a string literal",                                                               \
    "{place} is a constant, and is written to", "{access} {pointer}")                                             \
  X(kWrongType, WRONG_TYPE, "call of another type", kThread,                                                      \
    "a function is called through a pointer to a function of another type",                                       \
    "a function is called through a pointer of another type", "call")                                             \
  X(kOtherFree, OTHER_FREE, "mismatched free", kThread,                                                           \
    "memory is given back in another way than it was allocated: malloc and free, new and delete, new[] and delete[]", \
    "{pointer} is given back in another way than it was allocated", "free {pointer}")
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
  const char* about;
  const char* message;
  const char* end;
};

constexpr BugFacts facts_of(Bug bug) {
  switch (bug) {
#define PORF_BUG(kind, python, name, blame, about, message, end) \
  case Bug::kind:                                                \
    return {name, Blame::blame, about, message, end};
    PORF_BUGS(PORF_BUG)
#undef PORF_BUG
    case Bug::kNone:
      break;
  }
  return {"", Blame::kNobody, "", "", ""};
}

}  // namespace porf::explore
