// A thread that waits with its token stops when it is asked to. Ten executions: both strategies agree on that.
// executions: rc11 10
// arguments: --leaks
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
int main() {
    std::mutex m;
    std::condition_variable_any c;
    int stopped = 0;
    {
        std::jthread waits([&](std::stop_token token) {
            std::unique_lock<std::mutex> lock(m);
            assert(!c.wait(lock, token, [] { return false; }));
            stopped++;
        });
    }
    assert(stopped == 1);
}
