// A member function is called after the destructor of its object.
// expect: use after free
#include <new>

struct resource {
  int* handle = new int(3);
  ~resource() { delete handle; }
  int get() const { return *handle; } // here
};

int main() {
  alignas(resource) unsigned char memory[sizeof(resource)];
  resource* r = new (memory) resource;
  r->~resource();
  return r->get(); // here
}
