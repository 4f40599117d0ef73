// finds: join of a std::thread that is not joinable
#include <thread>
int main() {
    std::thread t([] {});
    t.join();
    t.join();
}
