// Functions with arguments, references, member functions, lambdas with few and many captures, things that only move.
// executions: rc11 1
#include <cassert>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

struct Counter {
    int value = 0;
    void add(int n) { value += n; }
};

void add(int &to, int n) {
    to += n;
}

int main() {
    int sum = 0, a = 1, b = 2, c = 3;
    Counter counter;
    std::thread(add, std::ref(sum), 5).join();
    std::thread(&Counter::add, &counter, 7).join();
    std::thread([&sum] { sum += 10; }).join();
    std::thread([&, a, b, c] { sum += a + b + c; }).join();
    std::thread([&](int n) { sum += n; }, 100).join();
    std::thread([&, own = std::make_unique<int>(1000)] { sum += *own; }).join();
    std::function<void()> f = [&] { sum += 10000; };
    std::thread(f).join();
    assert(sum == 11121 && counter.value == 7);

    std::thread t, none;
    assert(!t.joinable() && t.get_id() == std::thread::id());
    std::thread::id own;
    t = std::thread([&] { own = std::this_thread::get_id(); });
    assert(t.joinable() && t.get_id() != std::this_thread::get_id());
    const std::thread::id known = t.get_id();
    std::swap(t, none);
    none.join();
    assert(own == known && !t.joinable());
    { std::jthread joins([&] { sum = 0; }); }
    assert(sum == 0);

    std::vector<std::thread> threads;
    int each[3] = {};
    for (int i = 0; i < 3; i++) threads.emplace_back([&each, i] { each[i] = i; });
    for (auto &thread : threads) thread.join();
    assert(each[1] == 1 && each[2] == 2);
}
