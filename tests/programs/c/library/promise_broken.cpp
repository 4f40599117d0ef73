// finds: a promise has ended without a value
#include <future>
int main() {
    std::future<int> f;
    {
        std::promise<int> p;
        f = p.get_future();
    }
    return f.get();
}
