// All operations, in one thread.
// executions: rc11 1
#include <atomic>
#include <cassert>
#include <cstdint>
struct Pair {
    int a, b;
};
enum class Colour : unsigned char { red, green };
int main() {
    std::atomic<int> i{5};
    assert(i.fetch_add(2) == 5 && i.fetch_sub(1, std::memory_order_relaxed) == 7 && i == 6);
    assert(i++ == 6 && ++i == 8 && i-- == 8 && --i == 6 && (i += 4) == 10 && (i -= 2) == 8);
    assert((i &= 12) == 8 && (i |= 1) == 9 && (i ^= 1) == 8 && i.exchange(3, std::memory_order_acq_rel) == 8);
    int expected = 4;
    assert(!i.compare_exchange_strong(expected, 9) && expected == 3);
    assert(i.compare_exchange_strong(expected, 9, std::memory_order_release, std::memory_order_relaxed));
    assert((i = 7) == 7 && i.load(std::memory_order_acquire) == 7 && i.is_lock_free());
    std::atomic<bool> flag(false);
    flag.store(true, std::memory_order_release);
    assert(flag);
    int array[3] = {1, 2, 3};
    std::atomic<int *> p(array);
    assert(*p.load() == 1 && *++p == 2 && p.fetch_add(1) == array + 1 && *p.load() == 3);
    std::atomic<Pair> pair(Pair{1, 2});
    Pair old = pair.exchange(Pair{3, 4});
    assert(old.b == 2 && pair.load().a == 3);
    Pair known{3, 4};
    assert(pair.compare_exchange_strong(known, Pair{5, 6}) && pair.load().b == 6);
    std::atomic<Colour> colour(Colour::red);
    colour = Colour::green;
    assert(colour.load() == Colour::green);
    std::atomic<std::uint8_t> small(255);
    small++;
    assert(small == 0);
    std::atomic_flag taken = ATOMIC_FLAG_INIT;
    assert(!taken.test_and_set() && taken.test_and_set(std::memory_order_acquire) && taken.test());
    taken.clear(std::memory_order_release);
    std::atomic_int free_function(1);
    std::atomic_store_explicit(&free_function, 2, std::memory_order_relaxed);
    assert(std::atomic_fetch_add(&free_function, 3) == 2 && std::atomic_load(&free_function) == 5);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    int plain = 1;
    std::atomic_ref<int>(plain).fetch_add(1);
    assert(plain == 2);
    i.wait(6);
    i.notify_all();
}
