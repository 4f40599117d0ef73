// An object is published when its constructor has ended.
#include <atomic>
#include <cassert>
#include <thread>

struct service {
  int port;
  service() { port = 80; }
};

static service it;
static std::atomic<service*> instance;

int main() {
  std::thread t([] { instance.store(&it); });
  service* s = instance.load();
  if (s)
    assert(s->port == 80);
  t.join();
  return 0;
}
