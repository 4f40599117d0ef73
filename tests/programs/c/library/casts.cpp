// executions: rc11 1
#include <cassert>
#include <typeinfo>
struct Left {
    virtual ~Left() {}
    int left = 1;
};
struct Right {
    virtual ~Right() {}
    int right = 2;
};
struct Both : Left, Right {
    int both = 3;
};
int main() {
    Both both;
    Left only, *left = &both, *other = &only;
    Right *right = dynamic_cast<Right *>(left);
    assert(right && right->right == 2 && dynamic_cast<Both *>(right) == &both);
    assert(!dynamic_cast<Right *>(other) && !dynamic_cast<Both *>(other));
    assert(typeid(*left) == typeid(Both) && typeid(*other) == typeid(Left) && typeid(*left) != typeid(*other));
    bool caught = false;
    try {
        dynamic_cast<Both &>(*other).both = 1;
    } catch (const std::bad_cast &) {
        caught = true;
    }
    assert(caught);
}
