// Release and acquire in C++, with a template and a capture: the flag is seen or not.
// executions: rc11 2, sc 2

#include <atomic>
#include <cassert>
#include <thread>

template <typename T> struct Box {
    T value{};
    std::atomic<bool> full{false};

    void put(T given) {
        value = given;
        full.store(true, std::memory_order_release);
    }
    bool get(T &out) {
        if (!full.load(std::memory_order_acquire))
            return false;
        out = value;
        return true;
    }
};

Box<long> box;

int main() {
    std::thread sender([] { box.put(42); });
    std::thread receiver([] {
        long seen = 0;
        if (box.get(seen))
            assert(seen == 42);
    });
    sender.join();
    receiver.join();
}
