// See coherence_cpu.hpp.
#include "generate/coherence_cpu.hpp"

#include "execution.hpp"

namespace porf::generate {

Cpu::Cpu(Channels& channels, Cache& cache, Recording& recording, std::size_t cpu, std::int32_t first,
         std::int32_t end)
    : channels_(channels), cache_(cache), recording_(recording), cpu_(cpu), next_(first), end_(end) {
  plan();
}

void Cpu::issue() {
  waits_ = true;
  attempt();
  plan();
}

void Cpu::drain() {
  draining_ = choose_store();
  attempt_drain();
  plan();
}

// The load goes first: it is older than what it might wait behind, unless the fault buffer-bypass sent it
// here.
void Cpu::settled(std::int32_t line) {
  if (waits_ && recording_.loc[next_] == line) attempt();
  if (draining_ != kIdle && recording_.loc[buffer_[draining_]] == line) attempt_drain();
  plan();
}

void Cpu::attempt() {
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

void Cpu::complete() {
  ++next_;
  waits_ = false;
}

// A load takes the newest buffered store of its line.
bool Cpu::forwarded() {
  for (std::size_t i = buffer_.size(); i > 0; --i) {
    if (recording_.loc[buffer_[i - 1]] != recording_.loc[next_]) continue;
    if (channels_.strikes(Fault::kBufferBypass)) return false;
    recording_.rf[next_] = buffer_[i - 1];
    return true;
  }
  return false;
}

// The oldest store; by the fault buffer-reorder the second, if it is of another line.
std::size_t Cpu::choose_store() {
  if (buffer_.size() < 2 || recording_.loc[buffer_[0]] == recording_.loc[buffer_[1]]) return 0;
  return channels_.strikes(Fault::kBufferReorder) ? 1 : 0;
}

void Cpu::attempt_drain() {
  if (!cache_.store(recording_.loc[buffer_[draining_]], buffer_[draining_])) return;
  buffer_.erase(buffer_.begin() + static_cast<std::ptrdiff_t>(draining_));
  draining_ = kIdle;
}

// Puts what the cpu can do next on the agenda, and takes off what it cannot.
void Cpu::plan() {
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

}  // namespace porf::generate
