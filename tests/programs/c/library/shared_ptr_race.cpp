// The pointer itself is not atomic.
// finds: data race
#include <memory>
#include <thread>
int main() {
    std::shared_ptr<int> latest = std::make_shared<int>(1);
    std::thread t([&] { latest = std::make_shared<int>(2); });
    std::shared_ptr<int> seen = latest;
    t.join();
}
