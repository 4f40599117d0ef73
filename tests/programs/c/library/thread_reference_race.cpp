// finds: data race
#include <thread>
int main() {
    int n = 0;
    std::thread a([&] { n++; }), b([&] { n++; });
    a.join();
    b.join();
}
