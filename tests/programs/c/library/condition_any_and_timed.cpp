// finds: assertion
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
std::mutex m;
std::condition_variable_any c;
int given;
int main() {
    std::thread gives([] {
        std::lock_guard<std::mutex> lock(m);
        given = 42;
        c.notify_all();
    });
    {
        using namespace std::chrono_literals;
        std::unique_lock<std::mutex> lock(m);
        const bool came = c.wait_for(lock, 10ms, [] { return given != 0; });
        assert(came == (given == 42));
        assert(came);
    }
    gives.join();
}
