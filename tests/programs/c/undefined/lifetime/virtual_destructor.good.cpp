// A derived object is deleted through a base class with a virtual destructor.
// arguments: --leaks
struct base {
  int id = 1;
  virtual ~base() {}
};

struct derived : base {
  int* data = new int[4];
  ~derived() { delete[] data; }
};

int main() {
  base* b = new derived;
  delete b;
  return 0;
}
