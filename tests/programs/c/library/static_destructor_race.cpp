// The static ends with main, which does not wait for the thread.
// finds: data race
#include <atomic>
#include <thread>
struct Thing {
    int value = 1;
    ~Thing() { value = 0; }
};
Thing thing;
int main() {
    std::thread([] { (void)(thing.value + 1 == 2 ? 0 : 1); }).detach();
}
