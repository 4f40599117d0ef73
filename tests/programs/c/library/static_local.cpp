// A static of a function is made once, whoever comes first.
// executions: rc11 4
#include <cassert>
#include <thread>
int made;
struct Thing {
    int value;
    Thing() : value(++made) {}
};
int use() {
    static Thing thing;
    return thing.value;
}
int main() {
    std::thread a([] { assert(use() == 1); }), b([] { assert(use() == 1); });
    a.join();
    b.join();
}
