// See coherence.hpp. The loop draws what happens next: a message arrives, a cpu issues an operation, or a
// store leaves its buffer.
#include "generate/coherence.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "allowance.hpp"
#include "execution.hpp"
#include "generate/coherence_cache.hpp"
#include "generate/coherence_channels.hpp"
#include "generate/coherence_cpu.hpp"
#include "generate/coherence_home.hpp"

namespace porf::generate {

namespace {

// The programs, drawn apart from the schedule: a fault changes what is read, not what is asked.
Recording draw_programs(const Machine& machine) {
  Recording recording;
  const auto rows = static_cast<std::size_t>(machine.operations);
  recording.thread.reserve(rows);
  recording.op.reserve(rows);
  recording.loc.reserve(rows);
  recording.rf.assign(rows, kInitial);
  Random random(~machine.seed);
  Toil toil;
  for (std::int32_t cpu = 0; cpu < machine.cpus; ++cpu) {
    const std::int32_t share = machine.operations / machine.cpus + (cpu < machine.operations % machine.cpus);
    for (std::int32_t i = 0; i < share; ++i) {
      toil.demand();
      recording.thread.push_back(cpu);
      recording.op.push_back(random.chance(machine.reads) ? kRead : kWrite);
      recording.loc.push_back(static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(machine.lines))));
    }
  }
  return recording;
}

class Run {
 public:
  explicit Run(const Machine& machine) : recording_(draw_programs(machine)), channels_(machine), home_(channels_) {
    const auto cpus = static_cast<std::size_t>(machine.cpus);
    caches_.reserve(cpus);
    cpus_.reserve(cpus);
    std::int32_t first = 0;
    for (std::size_t cpu = 0; cpu < cpus; ++cpu) {
      const auto end = static_cast<std::int32_t>(
          std::upper_bound(recording_.thread.begin(), recording_.thread.end(), static_cast<std::int32_t>(cpu)) -
          recording_.thread.begin());
      caches_.emplace_back(channels_, cpu);
      cpus_.emplace_back(channels_, caches_[cpu], recording_, cpu, first, end);
      first = end;
    }
  }

  Recording run(Budget& budget) {
    while (!channels_.agenda().empty() && budget.spend()) step(channels_.agenda().draw(channels_.random()));
    if (!budget.spent() && !std::all_of(cpus_.begin(), cpus_.end(), [](const Cpu& cpu) { return cpu.done(); })) {
      throw std::logic_error("the coherence machine is stuck: an operation never completes");
    }
    return std::move(recording_);
  }

 private:
  void step(std::size_t agent) {
    if (agent >= channels_.drain_agent(0)) return cpus_[agent - channels_.drain_agent(0)].drain();
    if (agent >= channels_.issue_agent(0)) return cpus_[agent - channels_.issue_agent(0)].issue();
    if (channels_.holds_up(agent)) return;
    const Message message = channels_.receive(agent);
    if (message.to == channels_.home()) return home_.handle(message);
    if (caches_[message.to].handle(message)) cpus_[message.to].settled(message.line);
  }

  Recording recording_;
  Channels channels_;
  Home home_;
  std::vector<Cache> caches_;
  std::vector<Cpu> cpus_;
};

}  // namespace

Recording run_coherence(const Machine& machine, Budget& budget) { return Run(machine).run(budget); }

}  // namespace porf::generate
