// The store comes before the load, after the exchange, or between them; then the thread gives up the first pointer
// before main copies `seen`, after that, or after main gives up `wanted`.
// executions: rc11 5
// arguments: --leaks
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
int main() {
    std::atomic<std::shared_ptr<int>> latest(std::make_shared<int>(1));
    std::thread t([&] { latest.store(std::make_shared<int>(2)); });
    std::shared_ptr<int> seen = latest.load(), wanted = seen;
    assert(*seen == 1 || *seen == 2);
    bool set = latest.compare_exchange_strong(wanted, std::make_shared<int>(3));
    t.join();
    assert(set ? *latest.load() != 1 : *latest.load() == 2 && *wanted == 2);
}
