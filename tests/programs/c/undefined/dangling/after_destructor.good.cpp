// A new object is made where one was destroyed.
#include <cassert>
#include <new>

struct resource {
  int* handle = new int(3);
  ~resource() { delete handle; }
  int get() const { return *handle; }
};

int main() {
  alignas(resource) unsigned char memory[sizeof(resource)];
  resource* r = new (memory) resource;
  r->~resource();
  r = new (memory) resource;
  assert(r->get() == 3);
  r->~resource();
  return 0;
}
