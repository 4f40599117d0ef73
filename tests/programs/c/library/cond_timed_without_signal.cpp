// Nobody signals, but the time is over some day.
// executions: rc11 1
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
int main() {
    using namespace std::chrono_literals;
    std::mutex m;
    std::condition_variable c;
    std::unique_lock<std::mutex> lock(m);
    assert(c.wait_for(lock, 1s) == std::cv_status::timeout);
    assert(!c.wait_for(lock, 500ms, [] { return false; }) && 1s == 1000ms);
}
