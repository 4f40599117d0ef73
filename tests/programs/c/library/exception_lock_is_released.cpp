// A guard of a mutex lets go of it when an exception passes.
// executions: rc11 2
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>
std::mutex m;
int done, failed;
void work(bool fails) {
    std::lock_guard<std::mutex> guard(m);
    if (fails) throw std::runtime_error("no");
    done++;
}
int main() {
    std::thread a([] { work(false); });
    try {
        work(true);
    } catch (const std::runtime_error &) {
        failed = 1;
    }
    a.join();
    assert(done == 1 && failed == 1);
}
