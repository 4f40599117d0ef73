// finds: data race
#include <thread>
int left;
struct Local {
    int value = 0;
    ~Local() { left++; }
};
thread_local Local local;
int main() {
    std::thread a([] { local.value++; }), b([] { local.value++; });
    a.join();
    b.join();
}
