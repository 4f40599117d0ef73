// executions: rc11 1
// arguments: --leaks
#include <cassert>
#include <stop_token>
#include <thread>
int main() {
    bool called = false;
    std::stop_source source;
    {
        std::stop_callback callback(source.get_token(), [&] { called = true; });
        std::stop_callback never(std::stop_token(), [] { assert(0); });
        {
            std::stop_callback gone(source.get_token(), [] { assert(0); });
        }
        assert(source.request_stop() && !source.request_stop() && called);
        std::stop_callback late(source.get_token(), [&] { called = false; });
        assert(!called);
    }
    std::stop_source other;
    std::stop_token token = other.get_token();
    int data = 0;
    std::thread looks([&] {
        while (!token.stop_requested()) {
        }
        assert(data == 1);
    });
    data = 1;
    other.request_stop();
    looks.join();
}
