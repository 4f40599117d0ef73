// Exceptions go to other threads by pointers and by futures.
// executions: rc11 1
// arguments: --leaks
#include <cassert>
#include <exception>
#include <future>
#include <stdexcept>
#include <thread>
int failing(int n) {
    if (n) throw std::out_of_range("far");
    return 1;
}
int main() {
    std::exception_ptr kept;
    std::thread t([&] {
        try {
            failing(1);
        } catch (...) {
            kept = std::current_exception();
        }
    });
    t.join();
    int caught = 0;
    try {
        std::rethrow_exception(kept);
    } catch (const std::logic_error &) {
        caught++;
    }
    std::future<int> fails = std::async(std::launch::async, failing, 1);
    std::future<int> works = std::async(std::launch::async, failing, 0);
    assert(works.get() == 1);
    try {
        fails.get();
    } catch (const std::out_of_range &it) {
        caught += it.what()[0] == 'f';
    }
    std::promise<void> promise;
    std::future<void> told = promise.get_future();
    std::thread teller([&] { promise.set_exception(std::make_exception_ptr(7)); });
    try {
        told.get();
    } catch (int n) {
        caught += n == 7;
    }
    teller.join();
    assert(caught == 3);
}
