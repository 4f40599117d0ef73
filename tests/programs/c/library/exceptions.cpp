// Handlers are found by type, by base and by `...`; destructors run on the way, also in functions that call themselves.
// executions: rc11 1
// arguments: --leaks
#include <cassert>
#include <stdexcept>
#include <string>
struct First {
    virtual ~First() {}
    int first = 1;
};
struct Second {
    int second = 2;
};
struct Both : First, Second {
    int *own = new int(3);
    Both() = default;
    Both(const Both &) = delete;
    ~Both() { delete own; }
};
int guards;
struct Guard {
    Guard() { guards++; }
    ~Guard() { guards--; }
};
int throwing(int kind) {
    Guard guard;
    if (kind == 1) throw Both();
    if (kind == 2) throw 5;
    if (kind == 3) throw "text";
    if (kind == 4) throw std::invalid_argument(std::string("com") + "puted");
    return 0;
}
int deep(int depth, int kind) {
    Guard guard;
    return depth == 0 ? throwing(kind) : deep(depth - 1, kind);
}
int caught(int kind) {
    try {
        return deep(2, kind);
    } catch (const Second &it) {
        return it.second;
    } catch (int number) {
        return number;
    } catch (const char *text) {
        return text[1];
    } catch (const std::exception &it) {
        return it.what()[3];
    }
}
int main() {
    assert(caught(0) == 0 && caught(1) == 2 && caught(2) == 5 && caught(3) == 'e' && caught(4) == 'p');
    assert(guards == 0);
    bool outer = false;
    try {
        try {
            throwing(1);
        } catch (First &it) {
            it.first = 9;
            throw;
        }
    } catch (Both &it) {
        outer = it.first == 9 && *it.own == 3;
    }
    assert(outer);
    try {
        try {
            throwing(2);
        } catch (First &) {
            assert(0);
        }
    } catch (...) {
        outer = false;
    }
    assert(!outer && guards == 0);
}
