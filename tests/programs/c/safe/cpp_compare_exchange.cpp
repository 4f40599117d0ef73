// std::atomic of a pointer, compare_exchange, new and delete: one of two threads wins.
// executions: rc11 2, sc 2

#include <atomic>
#include <cassert>
#include <thread>

struct Node {
    explicit Node(int v) : value(v) {}
    int value;
};

std::atomic<Node *> shared{nullptr};

void race(int number) {
    Node *mine = new Node(number);
    Node *expected = nullptr;
    if (!shared.compare_exchange_strong(expected, mine)) {
        assert(expected->value == 3 - number);
        delete mine;
    }
}

int main() {
    std::thread a(race, 1);
    std::thread b(race, 2);
    a.join();
    b.join();
    delete shared.load();
}
