// The keys are different, but an insertion changes the map.
// finds: data race
#include <map>
#include <thread>
int main() {
    std::map<int, int> m{{1, 1}};
    std::thread t([&] { m[2] = 2; });
    bool found = m.count(0) == 0;
    t.join();
    return !found;
}
