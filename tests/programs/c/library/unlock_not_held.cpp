// finds: unlock by a std::unique_lock that does not hold its mutex
#include <mutex>
int main() {
    std::mutex m;
    std::unique_lock<std::mutex> l(m);
    l.unlock();
    l.unlock();
}
