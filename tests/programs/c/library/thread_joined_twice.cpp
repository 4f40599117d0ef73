// finds: join of a std::thread that is none
#include <thread>
int main() {
    std::thread t([] {});
    t.join();
    t.join();
}
