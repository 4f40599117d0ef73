// finds: end of a std::thread that was not joined
#include <thread>
int main() {
    std::thread t([] {});
}
