// executions: rc11 2
#include <cassert>
#include <future>
#include <thread>
#include <utility>
int main() {
    std::packaged_task<int(int)> task([](int n) { return n + 1; });
    auto result = task.get_future();
    std::thread t(std::move(task), 41);
    assert(result.get() == 42);
    t.join();
}
