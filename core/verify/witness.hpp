// Checks a witness against the axioms by definition-like means; shares nothing with the kernels but the columns.
#pragma once

#include <cstdint>
#include <span>

#include "execution.hpp"
#include "times.hpp"

namespace porf::verify {

enum class Axioms : std::uint8_t {
  kRelaxed = 0,
  kRc20 = 1,
  kRa = 2,
  kWra = 3,
  kSra = 4,
  kSc = 5,
  kTso = 6,
  kLin = 7,        // linearizability: real time and no program order
  kStrictSc = 8,   // SC and real time
  kStrictTso = 9,  // TSO and real time, without the ends of plain writes
};

enum class Fault : std::uint8_t {
  kNone = 0,
  kNotAnOrder = 1,  // mo is not each location's writes, each once
  kPoRfCyclic = 2,
  kAtomicity = 3,
  kCoherence = 4,
  kCyclic = 5,  // the model's own acyclicity: hb ∪ mo (SRA), po ∪ rf ∪ mo ∪ fr (SC), TSO's two
};

struct Finding {
  Fault fault = Fault::kNone;
  std::int32_t row = -1;  // the event at which it shows, where there is one
};

// Location x's writes, first to last, are mo[start[x] … start[x + 1]).
Finding check_witness(const Execution& x, Axioms axioms, std::span<const std::int32_t> mo,
                      std::span<const std::int64_t> start, const Times& times = {});

// Whether `order` is a permutation of the rows that keeps program order and reads what was last written.
bool is_interleaving(const Execution& x, std::span<const std::int32_t> order);

enum class Causal : std::uint8_t { kCcv = 0, kCm = 1, kCcm = 2, kWccm = 3 };

// Whether an execution of plain reads and writes satisfies a causal criterion.
bool satisfies(const Execution& x, Causal criterion);

}  // namespace porf::verify
