// Statics end in reverse order, those of functions as well: the last one that was made is the first one to go.
// executions: rc11 4
// arguments: --leaks
#include <cassert>
#include <cstdlib>
#include <thread>
int step;
struct Thing {
    int *own;
    int end;
    explicit Thing(int end) : own(new int(end)), end(end) {}
    ~Thing() {
        assert(step == end && *own == end);
        step++;
        delete own;
    }
};
Thing last(3), before(2);
Thing &made_by_main() {
    static Thing it(1);
    return it;
}
void made_last() {
    static Thing it(0);
}
void handler() {
    assert(step == 1);
}
int main() {
    std::thread t([] { assert(*made_by_main().own == 1); });
    made_by_main();
    atexit(handler);
    t.join();
    made_last();
    return 0;
}
