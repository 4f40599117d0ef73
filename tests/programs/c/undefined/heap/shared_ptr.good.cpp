// A weak_ptr knows that the last shared_ptr has gone.
#include <cassert>
#include <memory>

int main() {
  std::weak_ptr<int> w;
  {
    std::shared_ptr<int> p = std::make_shared<int>(3);
    w = p;
    assert(*w.lock() == 3);
  }
  assert(!w.lock());
  return 0;
}
