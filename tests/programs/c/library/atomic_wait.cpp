// executions: rc11 1
#include <atomic>
#include <cassert>
#include <thread>
int data;
std::atomic<int> ready{0};
int main() {
    std::thread gives([] {
        data = 1;
        ready.store(1, std::memory_order_release);
        ready.notify_one();
    });
    ready.wait(0, std::memory_order_acquire);
    assert(data == 1);
    gives.join();
}
