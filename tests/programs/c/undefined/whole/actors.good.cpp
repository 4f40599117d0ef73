// Actors: virtual functions, multiple inheritance, closures in a queue, a condition variable,
// futures by hand, iterators.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

class mailbox {
  std::mutex m;
  std::condition_variable more;
  std::deque<std::function<void()>> waiting;
  bool closed = false;

 public:
  void post(std::function<void()> f) {
    {
      std::lock_guard<std::mutex> l(m);
      waiting.push_back(std::move(f));
    }
    more.notify_one();
  }
  void close() {
    std::lock_guard<std::mutex> l(m);
    closed = true;
    more.notify_all();
  }
  std::optional<std::function<void()>> next() {
    std::unique_lock<std::mutex> l(m);
    more.wait(l, [this] { return closed || !waiting.empty(); });
    if (waiting.empty()) return std::nullopt;
    std::function<void()> f = std::move(waiting.front());
    waiting.pop_front();
    return f;
  }
};

struct named {
  std::string name;
  explicit named(std::string n) : name(std::move(n)) {}
  virtual ~named() = default;
  virtual std::string greet() const { return "I am " + name; }
};

struct account {
  long balance = 0;
  virtual ~account() = default;
  virtual bool withdraw(long amount) {
    if (amount > balance) return false;
    balance -= amount;
    return true;
  }
};

struct customer final : named, account {
  using named::named;
  int refused = 0;
  bool withdraw(long amount) override {
    bool ok = account::withdraw(amount);
    refused += !ok;
    return ok;
  }
  std::string greet() const override { return named::greet() + "."; }
};

class tree {
  struct node {
    int key;
    std::unique_ptr<node> left, right;
    explicit node(int k) : key(k) {}
  };
  std::unique_ptr<node> root;
  int count = 0;

 public:
  bool insert(int key) {
    std::unique_ptr<node>* at = &root;
    while (*at) {
      if (key == (*at)->key) return false;
      at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    }
    *at = std::make_unique<node>(key);
    count++;
    return true;
  }
  template <class F>
  void each(F f) const {
    std::vector<const node*> path;
    const node* n = root.get();
    while (n || !path.empty()) {
      for (; n; n = n->left.get()) path.push_back(n);
      n = path.back();
      path.pop_back();
      f(n->key);
      n = n->right.get();
    }
  }
  int size() const { return count; }
};

static long& slot(std::map<std::string, long>& m, const char* key) { return m[key]; }

int main() {
  customer c("Ann");
  account& a = c;
  named* n = &c;
  c.balance = 100;
  assert(n->greet() == "I am Ann.");

  mailbox box;
  int steps = 0;
  std::thread worker([&] {
    while (auto f = box.next()) {
      (*f)();
      steps++;
    }
  });
  box.post([&a] { a.withdraw(70); });
  auto big = std::make_shared<long>(70);
  box.post([&a, big] { a.withdraw(*big); });
  box.close();
  worker.join();
  assert(steps == 2 && c.refused == 1 && a.balance == 30 && big.use_count() == 1);

  tree t;
  for (int k : {5, 2, 8, 1, 9, 2}) t.insert(k);
  std::string keys;
  t.each([&](int k) { keys += static_cast<char>('0' + k); });
  assert(keys == "12589" && t.size() == 5);

  std::map<std::string, long> sums;
  slot(sums, "x") += 3;
  slot(sums, "y") = 4;
  long total = 0;
  for (const auto& [key, value] : sums) total += value * static_cast<long>(key.size());
  assert(total == 7 && sums.find("z") == sums.end());

  customer* p = dynamic_cast<customer*>(n);
  assert(p == &c && static_cast<customer*>(&a) == p);
  return 0;
}
