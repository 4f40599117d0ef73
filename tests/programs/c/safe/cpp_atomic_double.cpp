// An atomic double that one thread doubles and the other one increases, and an atomic pair. Executions differ in who is first
// with the double; if the one that doubles would have to try again, it may as well have loaded later.
// executions: rc11 2
#include <atomic>
#include <cassert>
#include <cmath>
#include <thread>

struct pair {
    long first, second;
};

std::atomic<double> number{1.5};
std::atomic<pair> both{pair{1, 2}};

int main() {
    std::thread a([] {
        double seen = number.load();
        while (!number.compare_exchange_strong(seen, seen * 2)) continue;
    });
    std::thread b([] { number.fetch_add(0.5); });
    a.join();
    b.join();
    double value = number;
    assert(value == 3.5 || value == 4.0);
    assert(std::sqrt(2.25f) == 1.5f && std::abs(-2.5) == 2.5 && !std::isnan(value) && std::floor(value) >= 3);
    pair seen = both;
    both = pair{seen.second, seen.first};
    assert(both.load().first == 2 && both.load().second == 1);
}
