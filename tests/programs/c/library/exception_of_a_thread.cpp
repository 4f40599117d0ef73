// finds: std::terminate
#include <stdexcept>
#include <thread>
void work(int n) {
    if (n > 0) throw std::runtime_error("too much");
}
int main() {
    std::thread t(work, 1);
    t.join();
}
