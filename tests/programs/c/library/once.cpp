// executions: rc11 4
#include <cassert>
#include <mutex>
#include <thread>
std::once_flag once;
int value;
void uses() {
    std::call_once(once, [](int n) { value += n; }, 3);
    assert(value == 3);
}
int main() {
    std::thread a(uses), b(uses);
    a.join();
    b.join();
}
