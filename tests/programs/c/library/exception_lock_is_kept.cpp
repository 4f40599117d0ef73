// The exception passes the unlock.
// finds: deadlock
#include <mutex>
#include <thread>
std::mutex m;
void work(bool fails) {
    m.lock();
    if (fails) throw 1;
    m.unlock();
}
int main() {
    std::thread a([] { work(false); });
    try {
        work(true);
    } catch (int) {
    }
    a.join();
}
