// A static of a function that a constructor uses is made before the constructor ends: it goes after it.
// executions: rc11 1
#include <cassert>
struct Log {
    bool open = true;
    ~Log() { open = false; }
};
Log &log() {
    static Log it;
    return it;
}
struct User {
    User() { assert(log().open); }
    ~User() { assert(log().open); }
};
User user;
int main() {}
