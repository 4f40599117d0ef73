// Thread-local variables end with their threads, before a join returns; those of main before its statics.
// executions: rc11 1
#include <cassert>
#include <thread>
int made, gone;
struct Static {
    ~Static() { assert(gone == 4); }
} last;
struct Local {
    int value;
    Local() : value(++made) {}
    ~Local() {
        assert(value > 0);
        gone++;
    }
};
thread_local Local of_file;
int use() {
    static thread_local Local of_function;
    return of_file.value + of_function.value;
}
int main() {
    std::thread t([] { assert(use() == 3); });
    t.join();
    assert(made == 2 && gone == 2);
    assert(use() == 7);
    assert(gone == 2);
}
