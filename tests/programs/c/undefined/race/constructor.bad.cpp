// A constructor publishes its object before it has set all members.
// expect: data race
#include <atomic>
#include <thread>

struct service;
static std::atomic<service*> instance;

struct service {
  int port;
  service() {
    instance.store(this);
    port = 80; // here
  }
};

int main() {
  std::thread t([] { new service; });
  service* s = instance.load();
  if (s && s->port == 80) // here
    s = nullptr;
  t.join();
  return 0;
}
