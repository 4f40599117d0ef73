// A cpu of the coherence machine: runs its program one operation after the other, with or without a store buffer.
#pragma once

#include <cstdint>
#include <deque>

#include "execution.hpp"
#include "generate/coherence_cache.hpp"

namespace porf::generate {

class Cpu {
 public:
  // Its program is rows first to end - 1 of the recording, whose rf column it fills in. A value is the row of
  // the write, or -1 for the initial one.
  Cpu(Channels& channels, Cache& cache, Recording& recording, std::size_t cpu, std::int32_t first, std::int32_t end)
      : channels_(channels), cache_(cache), recording_(recording), cpu_(cpu), next_(first), end_(end) {
    plan();
  }

  // Starts the next operation.
  void issue() {
    waits_ = true;
    attempt();
    plan();
  }

  // Starts to write a buffered store to the cache.
  void drain() {
    draining_ = choose_store();
    attempt_drain();
    plan();
  }

  // The cache says that it is worth asking again. The load goes first: it is older than what it might wait
  // behind, unless the fault buffer-bypass sent it here.
  void settled(std::int32_t line) {
    if (waits_ && recording_.loc[next_] == line) attempt();
    if (draining_ != kIdle && recording_.loc[buffer_[draining_]] == line) attempt_drain();
    plan();
  }

  bool done() const { return next_ == end_ && buffer_.empty(); }

 private:
  static constexpr std::size_t kBufferSize = 8;
  static constexpr std::size_t kIdle = static_cast<std::size_t>(-1);

  // The operation at next_.
  void attempt() {
    const std::int32_t line = recording_.loc[next_];
    if (recording_.op[next_] == kRead) {
      if (forwarded()) return complete();
      const std::optional<std::int32_t> value = cache_.load(line);
      if (!value) return;
      recording_.rf[next_] = *value;
      return complete();
    }
    if (channels_.machine().store_buffers) {
      buffer_.push_back(next_);
      return complete();
    }
    if (cache_.store(line, next_)) complete();
  }

  // The store at draining_.
  void attempt_drain() {
    if (!cache_.store(recording_.loc[buffer_[draining_]], buffer_[draining_])) return;
    buffer_.erase(buffer_.begin() + static_cast<std::ptrdiff_t>(draining_));
    draining_ = kIdle;
  }

  void complete() {
    ++next_;
    waits_ = false;
  }

  // A load takes the newest buffered store of its line.
  bool forwarded() {
    for (std::size_t i = buffer_.size(); i > 0; --i) {
      if (recording_.loc[buffer_[i - 1]] != recording_.loc[next_]) continue;
      if (channels_.strikes(Fault::kBufferBypass)) return false;
      recording_.rf[next_] = buffer_[i - 1];
      return true;
    }
    return false;
  }

  // The oldest store; by the fault buffer-reorder the second, if it is of another line.
  std::size_t choose_store() {
    if (buffer_.size() < 2 || recording_.loc[buffer_[0]] == recording_.loc[buffer_[1]]) return 0;
    return channels_.strikes(Fault::kBufferReorder) ? 1 : 0;
  }

  // Puts what the cpu can do next on the agenda, and takes off what it cannot.
  void plan() {
    Agenda& agenda = channels_.agenda();
    const bool full = buffer_.size() >= kBufferSize && next_ < end_ && recording_.op[next_] == kWrite;
    if (next_ < end_ && !waits_ && !full) {
      agenda.add(channels_.issue_agent(cpu_));
    } else {
      agenda.remove(channels_.issue_agent(cpu_));
    }
    if (!buffer_.empty() && draining_ == kIdle) {
      agenda.add(channels_.drain_agent(cpu_));
    } else {
      agenda.remove(channels_.drain_agent(cpu_));
    }
  }

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
