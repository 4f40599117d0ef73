// Message passing with a relaxed flag.
// finds: data race
#include <atomic>
#include <thread>
int data;
std::atomic<int> ready{0};
int main() {
    std::thread gives([] {
        data = 1;
        ready.store(1, std::memory_order_relaxed);
    });
    if (ready.load(std::memory_order_relaxed)) data = 2;
    gives.join();
}
