// executions: rc11 24
#include <barrier>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>
std::binary_semaphore free_place(1);
std::latch door(2);
int n, phases;
auto next = [] { phases++; };
std::barrier<decltype(next)> together(2, next);
void work() {
    free_place.acquire();
    n++;
    free_place.release();
    door.arrive_and_wait();
    assert(n == 2);
    together.arrive_and_wait();
    assert(phases == 1);
}
int main() {
    std::thread a(work), b(work);
    a.join();
    b.join();
    assert(!free_place.try_acquire() || !free_place.try_acquire());
}
