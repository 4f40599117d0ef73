// Who frees what both share, the reader or the writer; and the reader does not wait with its own end for the writer's.
// executions: rc11 2
// arguments: --leaks
#include <cassert>
#include <future>
#include <thread>
#include <utility>
int main() {
    std::promise<int> gives;
    std::future<int> takes = gives.get_future();
    std::thread t([p = std::move(gives)]() mutable { p.set_value(42); });
    assert(takes.get() == 42);
    t.join();
}
