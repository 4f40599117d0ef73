// The cache is made after the user, so it ends first.
// finds: use after free
#include <cassert>
struct Cache {
    int *data = new int(1);
    ~Cache() { delete data; }
};
Cache &cache() {
    static Cache it;
    return it;
}
struct User {
    ~User() { assert(*cache().data == 1); }
};
User user;
int main() {
    cache();
}
