// std::thread, std::atomic and lambdas: two increments, in either order.
// executions: rc11 2, sc 2

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x{0};

int main() {
    std::thread a([] { x.fetch_add(1, std::memory_order_relaxed); });
    std::thread b([] { x++; });
    a.join();
    b.join();
    assert(x.load() == 2);
}
