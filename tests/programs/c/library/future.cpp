// executions: rc11 1
// arguments: --leaks
#include <cassert>
#include <future>
#include <thread>
#include <utility>
int twice(int n) {
    return 2 * n;
}
int main() {
    auto a = std::async(twice, 4);
    auto b = std::async(std::launch::deferred, [] { return 5; });
    assert(a.get() + b.get() == 13 && !a.valid());
    std::async(std::launch::async, [] {});
}
