// The thread waits without its token, so nothing wakes it.
// finds: deadlock
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
int main() {
    std::mutex m;
    std::condition_variable c;
    std::jthread waits([&](std::stop_token token) {
        std::unique_lock<std::mutex> lock(m);
        while (!token.stop_requested()) c.wait(lock);
    });
}
