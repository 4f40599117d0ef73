// Publication: double-checked locking, a sequence lock of atomics, an RCU-like pointer swap
// with hazard counting, static locals.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct config {
  int width, height;
  bool square() const { return width == height; }
};

static std::atomic<config*> current{nullptr};
static std::mutex making;

static config* instance() {
  config* c = current.load(std::memory_order_acquire);
  if (!c) {
    std::lock_guard<std::mutex> l(making);
    c = current.load(std::memory_order_relaxed);
    if (!c) {
      c = new config;
      c->width = 4;
      c->height = 4;
      current.store(c, std::memory_order_release);
    }
  }
  return c;
}

class seqlock {
  std::atomic<unsigned> version{0};
  std::atomic<int> a{0}, b{0};

 public:
  void write(int x) {
    unsigned v = version.load(std::memory_order_relaxed);
    version.store(v + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    a.store(x, std::memory_order_relaxed);
    b.store(-x, std::memory_order_relaxed);
    version.store(v + 2, std::memory_order_release);
  }
  bool try_read(int& x, int& y) const {
    unsigned before = version.load(std::memory_order_acquire);
    x = a.load(std::memory_order_relaxed);
    y = b.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    return !(before & 1) && version.load(std::memory_order_relaxed) == before;
  }
};

static int& counter() {
  static int n = [] { return 40; }();
  return n;
}

class rcu {
  std::atomic<const config*> now;
  std::atomic<int> readers{0};

 public:
  explicit rcu(const config* c) : now(c) {}
  ~rcu() { delete now.load(); }
  template <class F>
  auto read(F f) {
    readers.fetch_add(1);
    auto r = f(*now.load());
    readers.fetch_sub(1);
    return r;
  }
  void replace(const config* c) {
    const config* old = now.exchange(c);
    while (readers.load() != 0) {
    }
    delete old;
  }
};

int main() {
  seqlock s;
  rcu r(new config{1, 1});
  std::thread t([&] {
    assert(instance()->square());
    s.write(7);
    r.replace(new config{2, 2});
  });
  config* c = instance();
  assert(c->square());
  int x, y;
  if (s.try_read(x, y)) assert(x + y == 0);
  bool square = r.read([](const config& c) { return c.square(); });
  assert(square);
  t.join();
  counter() += 2;
  assert(counter() == 42 && c == instance());
  delete c;
  return 0;
}
