// finds: deadlock
#include <mutex>
#include <thread>
std::mutex a, b;
int main() {
    std::thread one([] { std::lock_guard<std::mutex> first(a), second(b); });
    std::thread two([] { std::lock_guard<std::mutex> first(b), second(a); });
    one.join();
    two.join();
}
