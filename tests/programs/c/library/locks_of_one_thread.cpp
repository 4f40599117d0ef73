// executions: rc11 1
// arguments: --no-spurious
#include <cassert>
#include <mutex>
#include <shared_mutex>

int main() {
    std::mutex m, other;
    std::unique_lock<std::mutex> late(m, std::defer_lock);
    assert(!late.owns_lock());
    late.lock();
    std::unique_lock<std::mutex> fails(m, std::try_to_lock);
    assert(!fails && late);
    std::unique_lock<std::mutex> moved(std::move(late));
    assert(moved.owns_lock() && !late.owns_lock() && moved.mutex() == &m);
    moved.unlock();
    m.lock();
    { std::lock_guard<std::mutex> adopts(m, std::adopt_lock); }
    { std::scoped_lock all(m, other); assert(!m.try_lock() && !other.try_lock()); }
    assert(std::try_lock(m, other) == -1);
    assert(std::try_lock(m, other) == 0);
    m.unlock();
    assert(std::try_lock(m, other) == 1 && m.try_lock());

    std::recursive_mutex again;
    again.lock();
    assert(again.try_lock());
    again.unlock();
    again.unlock();

    std::shared_mutex shared;
    {
        std::shared_lock<std::shared_mutex> one(shared), two(shared);
        assert(!shared.try_lock());
    }
    assert(shared.try_lock() && !shared.try_lock_shared());
}
