// executions: rc11 2
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
std::mutex m;
std::condition_variable c;
int given;
int main() {
    std::thread gives([] {
        std::lock_guard<std::mutex> lock(m);
        given = 42;
        c.notify_one();
    });
    {
        std::unique_lock<std::mutex> lock(m);
        c.wait(lock, [] { return given != 0; });
        assert(given == 42);
    }
    gives.join();
}
