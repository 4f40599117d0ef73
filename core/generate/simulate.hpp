// Makes executions by running them: a sequential memory, and a weak one in which each thread has its own view.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace porf::generate {

// What a simulated machine is asked to do, in the order in which it does it.
struct Steps {
  std::span<const std::int32_t> thread;
  std::span<const std::uint8_t> op;
  std::span<const std::int32_t> loc;
  std::int32_t threads = 0;
  std::int32_t locations = 0;
};

// The same labels, numbered in order of first appearance; negative ones stay, and labels that never appear have none.
std::vector<std::int32_t> number_by_appearance(std::span<const std::int32_t> labels, std::int32_t count);

// The rf column of a sequential interleaving: each read takes the last write.
std::vector<std::int32_t> run_sequential(const Steps& steps);

// The rf column of a run of the release/acquire machine: messages stand in a modification order per location and carry
// their writer's view; a read takes any message that its thread's view has not passed, a write goes anywhere after the
// view, and an update goes right after what it reads. `random` holds one number a step; choices go `window` messages
// back. Every such run is RA-consistent: the order that the machine keeps is a witness.
std::vector<std::int32_t> run_release_acquire(const Steps& steps, std::span<const std::uint32_t> random,
                                              std::int32_t window);

}  // namespace porf::generate
