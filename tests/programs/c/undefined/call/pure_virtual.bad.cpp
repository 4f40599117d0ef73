// A constructor calls a function that is pure virtual there.
// expect: call of another type
struct base {
  base() { init(); } // here
  void init() { name(); } // here
  virtual int name() = 0;
};

struct derived : base {
  int name() override { return 1; }
};

int main() {
  derived d;
  return 0;
}
