// Every kind of lock keeps the other one out, in either order: two for each of seven.
// executions: rc11 128
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

template <class Mutex, class Lock>
void both() {
    Mutex m;
    int n = 0;
    auto add = [&] {
        Lock lock(m);
        n++;
    };
    std::thread a(add), b(add);
    a.join();
    b.join();
    assert(n == 2);
}

int main() {
    both<std::mutex, std::lock_guard<std::mutex>>();
    both<std::mutex, std::unique_lock<std::mutex>>();
    both<std::mutex, std::scoped_lock<std::mutex>>();
    both<std::timed_mutex, std::lock_guard<std::timed_mutex>>();
    both<std::recursive_mutex, std::lock_guard<std::recursive_mutex>>();
    both<std::shared_mutex, std::unique_lock<std::shared_mutex>>();
    both<std::shared_timed_mutex, std::lock_guard<std::shared_timed_mutex>>();
}
