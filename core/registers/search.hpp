// Linearizability of one register whose reads are known by their values alone: which write was read is searched for.
#pragma once

#include <cstdint>
#include <span>

#include "budget.hpp"
#include "memory.hpp"

namespace porf::registers {

enum class Kind : std::uint8_t {
  kRead = 0,    // finds `found`
  kWrite = 1,   // leaves `left`, whatever it finds
  kUpdate = 2,  // finds `found` and leaves `left`
  kUnlike = 3,  // finds anything but `found`: a compare-and-swap that failed
};

// Operations by columns. Writes of one value may share a number; one that a read names has a number of its own.
struct Operations {
  std::span<const std::uint8_t> kind;
  std::span<const std::int64_t> start;  // the smallest number: nobody knows
  std::span<const std::int64_t> end;    // the largest number: none; such an operation may as well have no effect
  std::span<const std::int32_t> found;  // a number that is left; or ~v: any that stands for value v
  std::span<const std::int32_t> left;
  std::span<const std::int32_t> value;  // what each number stands for
  std::int32_t initial = 0;             // the number at the beginning
};

struct Search {
  Answer answer = Answer::kConsistent;
  Limit limit = Limit::kNone;
  Ints order;                // when consistent: the operations that take effect, as a register could do them
  std::int32_t last = -1;    // otherwise: once this operation had ended, no way was left
  std::uint64_t states = 0;  // how many were looked at
};

Search search_register(const Operations& operations, Budget& budget);

}  // namespace porf::registers
