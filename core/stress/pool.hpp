// Threads that live as long as a stress run, each pinned to a core where the system can, and sleep between rounds.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace porf::stress {

// How many cores this process may use.
std::int32_t usable_cores();

class Pool {
 public:
  explicit Pool(std::int32_t threads);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  std::int32_t size() const { return static_cast<std::int32_t>(threads_.size()); }

  // Runs body(t) on each thread t and waits for all. Asks `poll` now and then; if that throws, calls `stop`,
  // which must make the bodies end soon, and throws on.
  void run(const std::function<void(std::int32_t)>& body, const std::function<void()>& poll,
           const std::function<void()>& stop);

 private:
  void live(std::int32_t t);
  void close();

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const std::function<void(std::int32_t)>* body_ = nullptr;
  std::uint64_t round_ = 0;
  std::int32_t running_ = 0;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace porf::stress
