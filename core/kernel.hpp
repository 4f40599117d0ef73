// The kernels, each known by the name of the model that it decides. A kernel's file registers it:
//
//   const Kernel kernel("ra", [](const Execution& x, Budget& budget) -> Finding { … });
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "budget.hpp"
#include "execution.hpp"
#include "memory.hpp"

namespace porf {

// How coherence is broken.
enum class Breach : std::uint8_t {
  kFine = 0,
  kPoRf = 1,           // po ∪ rf is cyclic
  kAtomicity = 2,      // two updates read one write
  kBeforeInitial = 3,  // access a leaves a value that must precede the initial write's chain
  kBackInChain = 4,    // access a leaves a value later in the chain than the one e reads
  kCycle = 5,          // the forced edges between chains are cyclic
  kStrongCycle = 6,    // hb and the forced edges are cyclic (SRA)
  kOverwritten = 7,    // the write that e reads happens before another that happens before e (WRA)
};

// A forced edge with its ground: the value that access `a` leaves must precede what event `e` targets, for a happens
// before e. In a strong cycle an edge without ground (a = -1) is a step of happens-before from `from` to `to`.
struct GroundedEdge {
  std::int32_t from, to, a, e;
};

// What a kernel must say is its answer and, if that is consistent and the model has one, the modification
// order (see coherence::order_of_writes). Evidence against an execution needs nothing more:
// porf.checking.kernel makes the execution small, and proves that by the model's file.
struct Finding {
  Answer answer = Answer::kConsistent;
  Limit limit = Limit::kNone;  // what ended it, if it is undecided
  Breach breach = Breach::kFine;
  std::int32_t access = -1;         // with kInitial, kBackInChain, kOverwritten: the access that happens before…
  std::int32_t event = -1;          // …this event
  Ints po_rf;                       // with kPoRf: as Schedule::cycle
  std::vector<GroundedEdge> cycle;  // with kCycle and kStrongCycle
  Ints mo;                          // when consistent: each location's writes in modification order,
  Large<std::int64_t> mo_start;     // location x's from mo_start[x] to mo_start[x + 1]
  bool by_search = false;           // SRA with updates: the frontier search decided
  std::uint64_t states = 0;         // …after so many frontiers
};

class Kernel {
 public:
  using Decide = Finding (*)(const Execution&, Budget&);

  Kernel(const char* model, Decide decide) { table()[model] = decide; }

  static Decide find(const std::string& model) {
    const auto found = table().find(model);
    if (found == table().end()) throw std::invalid_argument("the core has no kernel for " + model);
    return found->second;
  }

 private:
  static std::map<std::string, Decide>& table() {
    static std::map<std::string, Decide> kernels;
    return kernels;
  }
};

}  // namespace porf
