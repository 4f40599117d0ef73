// A derived object is deleted through a base class without a virtual destructor: its vector is lost.
// expect: memory leak
// arguments: --leaks
struct base {
  int id = 1;
};

struct derived : base {
  int* data = new int[4]; // here
  ~derived() { delete[] data; }
};

int main() {
  base* b = new derived;
  delete b;
  return 0;
}
