// A cpu of the coherence machine: runs its program one operation after the other, with or without a store
// buffer.
#pragma once

#include <cstdint>
#include <deque>

#include "generate/coherence_cache.hpp"

namespace porf::generate {

class Cpu {
 public:
  // Its program is rows first to end - 1 of the recording, whose rf column it fills in. A value is the row of
  // the write, or -1 for the initial one.
  Cpu(Channels& channels, Cache& cache, Recording& recording, std::size_t cpu, std::int32_t first,
      std::int32_t end);

  void issue();                     // starts the next operation
  void drain();                     // starts to write a buffered store to the cache
  void settled(std::int32_t line);  // the cache says that it is worth asking again
  bool done() const { return next_ == end_ && buffer_.empty(); }

 private:
  static constexpr std::size_t kBufferSize = 8;
  static constexpr std::size_t kIdle = static_cast<std::size_t>(-1);

  void attempt();        // the operation at next_
  void attempt_drain();  // the store at draining_
  void complete();
  bool forwarded();
  std::size_t choose_store();
  void plan();

  Channels& channels_;
  Cache& cache_;
  Recording& recording_;
  const std::size_t cpu_;
  std::int32_t next_;  // the row of the next operation, or of the one that waits
  const std::int32_t end_;
  bool waits_ = false;
  std::deque<std::int32_t> buffer_;  // rows of stores, oldest first
  std::size_t draining_ = kIdle;     // the place in the buffer of the store on its way
};

}  // namespace porf::generate
