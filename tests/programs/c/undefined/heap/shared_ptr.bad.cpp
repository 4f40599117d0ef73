// A raw pointer is used after the last shared_ptr has gone.
// expect: use after free
#include <memory>

int main() {
  int* raw;
  {
    std::shared_ptr<int> p = std::make_shared<int>(3);
    std::shared_ptr<int> q = p;
    raw = q.get();
  }
  return *raw; // here
}
