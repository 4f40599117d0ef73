// What was made before an exception ends, in members, arrays and statics; pointers are caught as those to bases.
// executions: rc11 1
// arguments: --leaks
#include <cassert>
#include <exception>
#include <stdexcept>
#include <vector>
int alive, step;
struct Part {
    int id;
    Part(int id = 0) : id(id) {
        if (id == 3) throw std::runtime_error("part");
        alive++;
    }
    Part(const Part &other) : id(other.id) { alive++; }
    ~Part() { alive--; }
};
struct Whole {
    Part a{1}, b{2}, c;
    explicit Whole(int i) try : c(i) {
    } catch (const std::runtime_error &) {
        step = 10;
        throw std::logic_error("whole");
    }
};
struct Static {
    static inline int made = 0;
    Static() {
        if (made++ == 0) throw 1;
    }
};
Static &get() {
    static Static it;
    return it;
}
struct Watch {
    int at = std::uncaught_exceptions();
    ~Watch() { step += std::uncaught_exceptions() > at ? 100 : 0; }
};
struct Base {
    int number = 4;
};
struct Derived : Base {};
int main() {
    bool caught = false;
    try {
        Whole whole(3);
    } catch (const std::logic_error &) {
        caught = true;
    }
    assert(caught && step == 10 && alive == 0);
    try {
        delete[] new Part[4]{0, 1, 2, 3};
        assert(0);
    } catch (const std::exception &) {
    }
    assert(alive == 0);
    std::vector<Part> parts;
    try {
        for (int i = 0; i < 5; i++) parts.emplace_back(i);
    } catch (const std::runtime_error &) {
    }
    assert(parts.size() == 3 && alive == 3);
    int tries = 0;
    for (int i = 0; i < 2; i++) try {
            get();
            tries += 10;
        } catch (int) {
            tries++;
        }
    assert(tries == 11);
    try {
        Watch watch;
        throw 1;
    } catch (...) {
    }
    assert(step == 110);
    Derived derived;
    try {
        throw &derived;
    } catch (Base *it) {
        assert(it->number == 4);
    }
    try {
        throw &derived;
    } catch (const void *it) {
        assert(it == &derived);
    }
}
