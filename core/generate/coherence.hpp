// A machine of cpus with caches over one memory, kept coherent by messages: random clients run on it, and
// what they read is recorded. With a fault switched on, the machine has a bug that real protocols have had.
#pragma once

#include <cstdint>
#include <vector>

#include "budget.hpp"

namespace porf::generate {

enum class Protocol : std::uint8_t { kMi, kMesi, kMoesi };

enum class Fault : std::uint8_t {
  kNone,
  kLostInvalidation,  // a sharer acknowledges an invalidation and keeps its copy
  kEarlyStoreHit,     // a store completes before all invalidations are acknowledged
  kStaleData,         // memory answers although an owner has newer data
  kReorderedAck,      // an invalidation overtakes data sent before it, and is acknowledged first
  kLostWriteback,     // the data of an evicted line does not reach memory
  kStaleForward,      // an owner that has given its data away still writes as if it were alone
  kBufferBypass,      // a load does not look into its cpu's store buffer
  kBufferReorder,     // a store leaves the buffer before an older one of another line
};

struct Machine {
  Protocol protocol = Protocol::kMesi;
  Fault fault = Fault::kNone;
  double fault_rate = 0;       // how often the fault strikes where it can
  bool store_buffers = false;  // stores wait in a FIFO buffer (TSO); else a cpu does one thing at a time (SC)
  std::int32_t cpus = 1;       // at most kMostCpus
  std::int32_t operations = 1;
  std::int32_t lines = 1;     // of memory; a line is one location
  std::int32_t capacity = 1;  // of a cache, in lines
  double reads = 0.5;         // share of loads
  std::uint64_t seed = 0;
};

inline constexpr std::int32_t kMostCpus = 64;

// The history, rows cpu after cpu, each in program order.
struct Recording {
  std::vector<std::int32_t> thread;
  std::vector<std::uint8_t> op;
  std::vector<std::int32_t> loc;
  std::vector<std::int32_t> rf;
};

// Runs until every operation is complete. Throws if the machine is stuck or a message comes where none may,
// which is a bug here and not a fault of the protocol.
Recording run_coherence(const Machine& machine, Budget& budget);

}  // namespace porf::generate
