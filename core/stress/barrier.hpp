// A barrier that spins: threads leave it within a few hundred cycles of each other, which no sleeping one gives.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace porf::stress {

class SpinBarrier {
 public:
  // After so many spins a waiting thread yields: the one that it waits for may need this very core.
  SpinBarrier(std::int32_t threads, std::int32_t spins) : threads_(threads), spins_(spins) {}

  // Waits until all threads are here; false if the run was stopped, and then nobody waits any more.
  bool wait() {
    std::uint32_t phase = phase_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrived_.store(0, std::memory_order_relaxed);
      phase_.store(phase + 1, std::memory_order_release);
      return !stopped();
    }
    for (std::int32_t spin = 0; phase_.load(std::memory_order_acquire) == phase; ++spin) {
      if (stopped()) return false;
      if (spin < spins_)
        relax();
      else
        std::this_thread::yield();
    }
    return true;
  }

  void stop() { stopped_.store(true, std::memory_order_relaxed); }

 private:
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  static void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
  }

  const std::int32_t threads_, spins_;
  alignas(128) std::atomic<std::int32_t> arrived_{0};
  alignas(128) std::atomic<std::uint32_t> phase_{0};
  alignas(128) std::atomic<bool> stopped_{false};
};

}  // namespace porf::stress
