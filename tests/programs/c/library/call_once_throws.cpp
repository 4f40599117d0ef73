// A call that throws does not count: another thread tries again.
// executions: rc11 2
#include <cassert>
#include <mutex>
#include <thread>
std::once_flag once;
int tries, done;
void init() {
    if (++tries == 1) throw 1;
    done = 1;
}
int main() {
    auto attempt = [] {
        try {
            std::call_once(once, init);
            assert(done == 1);
            return true;
        } catch (int) {
            return false;
        }
    };
    bool a, b;
    std::thread t([&] { a = attempt(); });
    b = attempt();
    t.join();
    assert(a != b && tries == 2);
}
