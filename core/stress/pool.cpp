// Threads wait for a round's number to change; pinning is Linux's, and where it fails nothing depends on it.
#include "stress/pool.hpp"

#include <algorithm>
#include <chrono>

#ifdef __linux__
#include <pthread.h>
#include <sched.h>
#endif

namespace porf::stress {
namespace {

// The numbers of the cores that this process may use; none where the system does not say.
std::vector<int> core_numbers() {
  std::vector<int> cores;
#ifdef __linux__
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
    for (int core = 0; core < CPU_SETSIZE; ++core)
      if (CPU_ISSET(core, &allowed)) cores.push_back(core);
#endif
  return cores;
}

void pin([[maybe_unused]] std::thread& thread, [[maybe_unused]] int core) {
#ifdef __linux__
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  pthread_setaffinity_np(thread.native_handle(), sizeof one, &one);
#endif
}

}  // namespace

std::int32_t usable_cores() {
  auto known = static_cast<std::int32_t>(core_numbers().size());
  return known > 0 ? known : std::max(1, static_cast<std::int32_t>(std::thread::hardware_concurrency()));
}

Pool::Pool(std::int32_t threads) {
  const std::vector<int> cores = core_numbers();
  threads_.reserve(static_cast<std::size_t>(threads));
  try {
    for (std::int32_t t = 0; t < threads; ++t) {
      threads_.emplace_back([this, t] { live(t); });
      if (!cores.empty()) pin(threads_.back(), cores[static_cast<std::size_t>(t) % cores.size()]);
    }
  } catch (...) {  // the system has no more threads: those that it gave must end before this does
    close();
    throw;
  }
}

Pool::~Pool() { close(); }

void Pool::close() {
  {
    std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Pool::run(const std::function<void(std::int32_t)>& body, const std::function<void()>& poll,
               const std::function<void()>& stop) {
  constexpr auto kPollEvery = std::chrono::milliseconds(50);
  std::unique_lock lock(mutex_);
  body_ = &body;
  running_ = size();
  ++round_;
  wake_.notify_all();
  auto all_done = [this] { return running_ == 0; };
  while (!done_.wait_for(lock, kPollEvery, all_done)) {
    lock.unlock();
    try {
      poll();
    } catch (...) {
      stop();
      lock.lock();
      done_.wait(lock, all_done);
      throw;
    }
    lock.lock();
  }
}

void Pool::live(std::int32_t t) {
  std::uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [&] { return closing_ || round_ != seen; });
    if (closing_) return;
    seen = round_;
    lock.unlock();
    (*body_)(t);
    lock.lock();
    if (--running_ == 0) done_.notify_all();
  }
}

}  // namespace porf::stress
