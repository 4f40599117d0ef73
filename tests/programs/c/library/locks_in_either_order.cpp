// std::lock takes both, whatever the order: no deadlock.
// executions: rc11 2
#include <mutex>
#include <thread>
std::mutex a, b;
int n;
int main() {
    std::thread one([] { std::scoped_lock both(a, b); n++; });
    std::thread two([] { std::scoped_lock both(b, a); n++; });
    one.join();
    two.join();
}
